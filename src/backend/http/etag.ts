/** The strong validator of one version of a resource (RFC 9110 §8.8.3). */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** `If-Match` as a test on the current tag; strong comparison, so a weak tag never matches (§13.1.1). */
export function matchesStrongly(header: string, etag: string): boolean {
  return header.trim() === "*" || tagsOf(header).includes(etag);
}

/** `If-None-Match` as a test on the current tag; weak comparison (RFC 9110 §13.1.2). */
export function matchesWeakly(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.trim() === "*" || tagsOf(header).some((tag) => tag.replace(/^W\//, "") === etag);
}

function tagsOf(header: string): string[] {
  return header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
}
