import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "wouter";
import { whoMay } from "../../shared/session.ts";
import { screenAt, screens } from "../screens.ts";
import { Skeleton } from "../ui/notice.tsx";
import { useFocusFallback } from "../ui/page.ts";
import { Gate, RequireRole } from "../session/gate.tsx";
import { useSession } from "../session/session-store.ts";
import { ChannelAlarm } from "./reminder-notices.tsx";
// Nearly all screens use it: one script with this.
import "./suggestions.ts";

/** Replaces a part of the title, which the router has set from the address. */
export function useTitle(part: string, text: string): void {
  useEffect(() => {
    document.title = document.title.replace(part, () => text);
    return () => {
      document.title = document.title.replace(text, () => part);
    };
  }, [part, text]);
}

interface Props {
  className: string;
  /** By default, the title of the screen. Longer ones, such as names of domains, are smaller. */
  heading?: string;
  /** Stands beside the heading. */
  count?: ReactNode;
  /** The address of the screen that this one is a part of. */
  above?: string;
  /** The buttons at the end of the head, once someone is signed in. */
  actions?: ReactNode;
  /** Lines of the skeleton until the session is known. */
  lines: number;
  children: ReactNode;
}

const MAX_LARGE_HEADING = 80;

/** A screen for people who are signed in. Its head shows before that. */
export function Screen({ className, count, above, actions, lines, children, ...props }: Props) {
  useFocusFallback();
  const { state } = useSession();
  const [path] = useLocation();
  const { title = "", role: least = "limited" } = screens[screenAt(path) ?? ""] ?? {};
  const { heading = title } = props;
  return (
    <div className={`screen ${className}`}>
      <header className="head">
        <div>
          {above && (
            <Link href={above} className="back">
              {screens[above.replace(/\?.*/, "")]?.title}
            </Link>
          )}
          <div className="row">
            <h1 tabIndex={-1} className={heading.length > MAX_LARGE_HEADING ? "large" : undefined}>
              {heading}
            </h1>
            {count}
          </div>
        </div>
        {actions && state === "signed-in" && <div className="row actions">{actions}</div>}
      </header>
      <Gate waiting={<Skeleton lines={lines} />}>
        <ChannelAlarm />
        <RequireRole
          least={least}
          or={
            <p>
              Only {whoMay(least)} can use this page. <Link href="/home">Go to Home</Link>
            </p>
          }
        >
          {children}
        </RequireRole>
      </Gate>
    </div>
  );
}
