/** One member of a list of entity tags, which may be empty: RFC 9110 §8.8.3 and §5.6.1. */
const MEMBER = /[\t ]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[\t ]*)?(?:,|$)/y;

/** Whether `If-Match` allows a change of what has this tag: a weak tag never matches (§13.1.1). */
export function matchesStrongly(header: string, tag: string): boolean {
  return header.trim() === "*" || parseTags(header).includes(tag);
}

/** Whether `If-None-Match` names what has this tag: a weak tag matches as well (§13.1.2). */
export function matchesWeakly(header: string | null, tag: string): boolean {
  if (header === null) return false;
  return (
    header.trim() === "*" || parseTags(header).some((each) => each.replace(/^W\//, "") === tag)
  );
}

/** The tags of a list; none where the header is not one. */
function parseTags(header: string): string[] {
  const tags: string[] = [];
  for (MEMBER.lastIndex = 0; MEMBER.lastIndex < header.length;) {
    const member = MEMBER.exec(header);
    if (member === null) return [];
    if (member[1] !== undefined) tags.push(member[1]);
  }
  return tags;
}
