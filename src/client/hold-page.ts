/**
 * Puts away what a new page would lose. Resolves, never rejects, with a sentence about what would be
 * lost all the same; empty: nothing.
 */
type Keep = () => Promise<string>;

const keeps = new Set<Keep>();

/**
 * Says that something would be lost with the page: no newer version is taken meanwhile, and before a
 * reload for want of code it is put away. The code of `keep` has to be there already.
 *
 * @returns Lets the page go.
 */
export function holdPage(keep: Keep): () => void {
  keeps.add(keep);
  return () => keeps.delete(keep);
}

/** Whether something would be lost with the page. */
export function isHeld(): boolean {
  return keeps.size > 0;
}

/** Puts away all that would be lost; says what would be all the same, in sentences. */
export async function putAway(): Promise<string> {
  const lost = await Promise.all([...keeps].map((keep) => keep()));
  return lost.join(" ").trim();
}
