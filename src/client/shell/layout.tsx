import { type ReactNode, Suspense, use, useSyncExternalStore } from "react";
import { Link, useLocation } from "wouter";
import { BrandContext } from "./brand-context.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import "./layout.css";
import { Logo } from "./logo.tsx";
import { NotificationList } from "./notification-list.tsx";

/**
 * The main layout: navigation bar, content, footer. Whatever fails in the content stays there. The
 * boundaries keep their identity across screens: a new one would show its fallback on navigation.
 */
export function Layout({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  return (
    <div className="layout">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <NavBar />
      <main className="layout__content" id="content" tabIndex={-1}>
        <ErrorBoundary resetKey={path}>
          <Suspense fallback={<output>Loading…</output>}>{children}</Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <NotificationList />
    </div>
  );
}

/** The bar at the top. Its only link is the logo, which leads to `/`. */
function NavBar() {
  const brand = use(BrandContext);
  return (
    <nav className="nav-bar" aria-label="Main">
      <Link href="/" className="nav-bar__item" aria-label={brand}>
        <Logo />
      </Link>
    </nav>
  );
}

/** The line at the foot of every screen; the year is that of the user's device. */
function Footer() {
  const brand = use(BrandContext);
  const year = useSyncExternalStore(subscribeToYear, readDeviceYear, readServedYear);
  return (
    <footer className="layout__footer">
      © <time data-year>{year}</time> {brand} - All rights reserved.
    </footer>
  );
}

/** No event tells of a new year: a page left open follows when it is seen again. */
function subscribeToYear(onChange: () => void) {
  document.addEventListener("visibilitychange", onChange);
  return () => document.removeEventListener("visibilitychange", onChange);
}

function readDeviceYear(): string {
  return String(new Date().getFullYear());
}

/** The year in the markup that is being hydrated, which may be from another year. */
function readServedYear(): string {
  const served = typeof document === "undefined" ? null : document.querySelector("[data-year]");
  return served?.textContent || readDeviceYear();
}
