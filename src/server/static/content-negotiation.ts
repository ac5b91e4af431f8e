import { memoize } from "../../shared/memoize.ts";

/** Content codings that a prepared body may exist in; among equals the first is sent. */
export const CODINGS = ["br", "zstd", "gzip", "identity"] as const;

export type Coding = (typeof CODINGS)[number];

/** The quality of an identity coding that a header does not mention: acceptable, but the last choice. */
const UNMENTIONED_IDENTITY = 0.0001;

/** RFC 9110 §12.5.3. Without the header only the identity coding is sent. Null: 406. */
export function chooseCoding(
  header: string | null,
  offered: Pick<ReadonlySet<Coding>, "has">,
): Coding | null {
  if (header === null) return offered.has("identity") ? "identity" : null;
  const qualities = parseQualities(header);
  const any = qualities.get("*");
  let best: Coding | null = null;
  let highest = 0;
  for (const coding of CODINGS) {
    if (!offered.has(coding)) continue;
    const unmentioned = any ?? (coding === "identity" ? UNMENTIONED_IDENTITY : 0);
    const quality = qualities.get(coding) ?? unmentioned;
    if (quality > highest) [best, highest] = [coding, quality];
  }
  return best;
}

/** Media ranges that include `text/html`, the most specific first: RFC 9110 §12.5.1. */
const HTML_RANGES = ["text/html", "text/*", "*/*"] as const;

export function acceptsHtml(header: string | null): boolean {
  if (header === null) return true;
  const qualities = parseQualities(header);
  if ((qualities.get("application/xhtml+xml") ?? 0) > 0) return true;
  const range = HTML_RANGES.find((name) => qualities.has(name));
  return range !== undefined && (qualities.get(range) ?? 0) > 0;
}

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The members of a weighted list, in lower case: RFC 9110 §12.4.2. A malformed weight counts as 0. */
const parseQualities = memoize((header): ReadonlyMap<string, number> => {
  const qualities = new Map<string, number>();
  for (const member of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = member.split(";").map((part) => part.trim());
    if (name === "") continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    const quality = QUALITY.test(weight) ? Number(weight) : 0;
    qualities.set(name === "x-gzip" ? "gzip" : name, quality);
  }
  return qualities;
});
