import "./skeleton.css";

/** Holds the place of `lines` lines of text while they are on their way. */
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
