import { keepTab, readTab } from "../tab-store.ts";

const keyOf = (id: string) => `import-commit-${id}`;

/** Whether a commit of this import was sent from this tab, and its answer never seen. */
export function wasCommitSent(id: string): boolean {
  return readTab(keyOf(id)) !== null;
}

/**
 * The idempotency key of an import's commit. It is the same after a reload and after an answer that
 * got lost, so that no try writes a second time.
 */
export function commitKey(id: string): string {
  const known = readTab(keyOf(id));
  if (known !== null) return known;
  // `randomUUID` is only there in a secure context; a register at home may have plain http.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const fresh = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  // Where it cannot be kept the import's own id does: it is committed once.
  return keepTab(keyOf(id), fresh) ? fresh : id;
}

/** Forgets the key: the answer is there. */
export function dropCommitKey(id: string): void {
  keepTab(keyOf(id), null);
}
