import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "wouter";
import { whoMay } from "../../shared/session.ts";
import { screenAt, screens } from "../screens.ts";
import { Skeleton } from "../ui/notice.tsx";
import { useFocusFallback } from "../ui/page.ts";
import { Gate, RequireRole } from "../session/gate.tsx";
import { useSession } from "../session/session-store.ts";
import { ChannelAlarm } from "./reminder-notices.tsx";

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
  /** By default, the title of the screen. */
  heading?: string;
  /** Stands beside the heading. */
  count?: ReactNode;
  /** The address of the screen that this one is a part of. */
  above?: string;
  /** The buttons at the end. */
  children?: ReactNode;
}

interface Props extends HeadProps {
  className: string;
  /** Lines of the skeleton until the session is known. */
  lines: number;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen for people who are signed in. */
export function Screen({ className, lines, actions, children, ...head }: Props) {
  useFocusFallback();
  const [path] = useLocation();
  const { title = "", role: least = "limited" } = screens[screenAt(path) ?? ""] ?? {};
  return (
    <div className={`screen ${className}`}>
      <ScreenHead heading={title} {...head}>
        {actions}
      </ScreenHead>
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

/** Longer headings, such as names of domains, are smaller. */
const MAX_LARGE_HEADING = 80;

/** The top of a screen. It shows before anyone is signed in, its buttons only then. */
function ScreenHead({ heading = "", count, above, children }: HeadProps) {
  const { state } = useSession();
  return (
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
      {children && state === "signed-in" && <div className="row actions">{children}</div>}
    </header>
  );
}
