import type { ReactNode } from "react";
import "./empty.css";

/** Says that there is nothing, why, and what can be done about it. */
export function Empty({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className="empty">
      <h2>{heading}</h2>
      {children}
    </section>
  );
}
