import type { ReactNode } from "react";

/** Replaces an empty list: says why it is empty and what to do about it. */
export function Empty({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className="stack empty">
      <h2 className="large">{heading}</h2>
      {children}
    </section>
  );
}
