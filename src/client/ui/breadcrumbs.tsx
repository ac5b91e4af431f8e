import { Children, type ReactNode } from "react";
import "./breadcrumbs.css";

/**
 * Where a screen is: links to the screens above it, outermost first, then its own name. Belongs above
 * the `<h1>`.
 */
export function Breadcrumbs({ current, children }: { current: ReactNode; children: ReactNode }) {
  return (
    <nav className="breadcrumbs" aria-label="Breadcrumb">
      <ol className="breadcrumbs-list">
        {Children.map(children, (link) => (
          <li>{link}</li>
        ))}
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  );
}
