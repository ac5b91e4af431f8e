import { type ReactNode, Suspense } from "react";
import { useLocation } from "wouter";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Footer } from "./footer.tsx";
import "./layout.css";
import { NavBar } from "./nav-bar.tsx";

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
    </div>
  );
}
