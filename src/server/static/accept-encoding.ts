/** Content codings that a prepared body may exist in; among equals the first is sent. */
export const CODINGS = ["br", "zstd", "gzip", "identity"] as const;

export type Coding = (typeof CODINGS)[number];

/**
 * Chooses how a body is encoded: RFC 9110 §12.5.3, quality values, `*` and `identity;q=0` included.
 * Without the header a client is not known to understand anything but the plain body.
 *
 * @param offered Codings that the body exists in.
 * @returns Null where the client refuses every one of them: the answer is then 406.
 */
export function chooseCoding(header: string | null, offered: ReadonlySet<Coding>): Coding | null {
  if (header === null) return offered.has("identity") ? "identity" : null;
  const qualities = parseQualities(header);
  let best: Coding | null = null;
  let highest = 0;
  for (const coding of CODINGS) {
    if (!offered.has(coding)) continue;
    const quality =
      qualities.get(coding) ?? (coding === "identity" ? plain(qualities) : star(qualities));
    if (quality > highest) [best, highest] = [coding, quality];
  }
  return best;
}

/** What is not named counts as `*`, where that is given. */
function star(qualities: Map<string, number>): number {
  return qualities.get("*") ?? 0;
}

/** The plain body is acceptable unless it is excluded, and the last choice where it is not named. */
function plain(qualities: Map<string, number>): number {
  return qualities.get("*") ?? 0.0001;
}

/** The members of a weighted list, in lower case: RFC 9110 §12.4.2. A malformed weight counts as 0. */
export function parseQualities(header: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const member of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = member.split(";").map((part) => part.trim());
    if (name === "") continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    const quality = WEIGHT.test(weight) ? Number(weight) : 0;
    qualities.set(name === "x-gzip" ? "gzip" : name, quality);
  }
  return qualities;
}

const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
