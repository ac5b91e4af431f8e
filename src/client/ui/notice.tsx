import type { ReactNode } from "react";

interface Props {
  tone?: "danger" | "warn" | "calm";
  children: ReactNode;
}

const ROLES = { danger: "alert", warn: "status", calm: undefined };

/** A message. Screen readers announce `danger` at once, `warn` when idle, and `calm` not by themselves. */
export function Notice({ tone = "danger", children }: Props) {
  return (
    <div className={`notice ${tone}`} role={ROLES[tone]}>
      {children}
    </div>
  );
}

/** A placeholder for `lines` lines of text that are still loading. */
export function Skeleton({ lines, label = "Loading…" }: { lines: number; label?: string }) {
  return (
    <output className="stack skeleton">
      <span className="unseen">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="skeleton-line" />
      ))}
    </output>
  );
}
