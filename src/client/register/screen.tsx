import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "wouter";
import { whoMay } from "../../shared/session.ts";
import { screens } from "../screens.ts";
import { Skeleton } from "../ui/notice.tsx";
import { useFocusFallback } from "../ui/page.ts";
import { Gate, RequireRole } from "../session/gate.tsx";
import { ChannelAlarm } from "./reminder-notices.tsx";
import "./screen.css";

/** Replaces a part of the title, which the router has set from the address. */
export function useTitle(part: string, text: string): void {
  useEffect(() => {
    document.title = document.title.replace(part, () => text);
    return () => {
      document.title = document.title.replace(text, () => part);
    };
  }, [part, text]);
}

interface HeadProps {
  heading: string;
  /** The screens between home and this one: what they are called, by their address. */
  above?: Readonly<Record<string, string>>;
  children?: ReactNode;
}

interface Props extends HeadProps {
  className: string;
  /** Lines of the skeleton until the session is known. */
  lines: number;
  children: ReactNode;
}

/** A screen for people who are signed in. */
export function Screen({ className, lines, children, ...head }: Props) {
  useFocusFallback();
  const [path] = useLocation();
  const least = screens[path]?.role ?? "viewer";
  return (
    <div className={`screen ${className}`}>
      <ScreenHead {...head} />
      <Gate waiting={<Skeleton lines={lines} />}>
        <ChannelAlarm />
        <RequireRole least={least} or={<p>Only {whoMay(least)} can use this page.</p>}>
          {children}
        </RequireRole>
      </Gate>
    </div>
  );
}

/** Longer headings, such as names of domains, are smaller. */
const MAX_LARGE_HEADING = 80;

export function ScreenHead({ heading, above, children }: HeadProps) {
  return (
    <div className="screen-head">
      <nav className="breadcrumbs" aria-label="Breadcrumb">
        <ol>
          {Object.entries({ "/home": "Home", ...above }).map(([href, name]) => (
            <li key={name}>
              <Link href={href}>{name}</Link>
            </li>
          ))}
        </ol>
      </nav>
      <h1 tabIndex={-1} className={heading.length > MAX_LARGE_HEADING ? "long" : undefined}>
        {heading}
      </h1>
      {children}
    </div>
  );
}
