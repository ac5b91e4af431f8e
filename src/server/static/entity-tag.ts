/** One member of the list: RFC 9110 §8.8.3. */
const MEMBER = /^\s*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/;

/** A strong entity tag for a body; `variant` tells the encodings of one body apart. */
export function entityTag(bytes: Uint8Array, variant = ""): string {
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);
  return `"${hash}${variant && `-${variant}`}"`;
}

/**
 * Whether If-None-Match names a tag: a list, weak tags or `*`, compared weakly as RFC 9110 §13.1.2
 * has it. What does not read as a list matches nothing.
 */
export function matchesNone(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  let found = false;
  for (let rest = header; rest.trim() !== "";) {
    const member = MEMBER.exec(rest);
    if (!member) return false;
    found ||= member[2] === tag;
    rest = rest.slice(member[0].length);
  }
  return found;
}
