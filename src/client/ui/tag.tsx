import "./tag.css";

/** One short word about something, set apart from the text around it. */
export function Tag({ children }: { children: string }) {
  return <span className="tag">{children}</span>;
}
