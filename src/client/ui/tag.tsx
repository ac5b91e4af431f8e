import "./tag.css";

/** A short label in a rounded box. */
export function Tag({ children }: { children: string }) {
  return <span className="tag">{children}</span>;
}
