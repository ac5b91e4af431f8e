import "./skeleton.css";

/** A placeholder for `lines` lines of text that are still loading. */
export function Skeleton({ lines, label = "Loading…" }: { lines: number; label?: string }) {
  return (
    <output className="skeleton">
      <span className="unseen">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="skeleton-line" />
      ))}
    </output>
  );
}
