import { parseQualities } from "./accept-encoding.ts";

/** Media ranges that take in `text/html`, the most specific first: RFC 9110 §12.5.1. */
const RANGES = ["text/html", "text/*", "*/*"] as const;

/** Whether a client takes HTML; one that says nothing takes anything. */
export function acceptsHtml(header: string | null): boolean {
  if (header === null) return true;
  const qualities = parseQualities(header);
  if ((qualities.get("application/xhtml+xml") ?? 0) > 0) return true;
  const range = RANGES.find((name) => qualities.has(name));
  return range !== undefined && (qualities.get(range) ?? 0) > 0;
}
