import { holdPage } from "./hold-page.ts";

let pending: File | null = null;
let release = () => {};

/**
 * Keeps the file that was dropped, or the names that were pasted, on one screen for the import
 * wizard of another. In memory only: no new version is taken meanwhile. The last one wins.
 */
export function keepPendingImport(file: File): void {
  release();
  pending = file;
  release = holdPage(() => true);
}

/** Hands the kept file out once; null where nothing waits. */
export function takePendingImport(): File | null {
  release();
  const file = pending;
  pending = null;
  return file;
}
