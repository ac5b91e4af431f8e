let pending: File | null = null;

/**
 * Keeps the file that was dropped, or the names that were pasted, on one screen for the import
 * wizard of another. In memory only: a reload forgets it. The last one wins.
 */
export function keepPendingImport(file: File): void {
  pending = file;
}

/** Hands the kept file out once; null where nothing waits. */
export function takePendingImport(): File | null {
  const file = pending;
  pending = null;
  return file;
}
