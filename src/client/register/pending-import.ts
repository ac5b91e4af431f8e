import { addUnsavedChanges } from "../ui/unsaved-changes.ts";
import { onPersonChange } from "../session/session-store.ts";

/** Name of the file that pasted text becomes. */
const PASTED_NAME = "Pasted domains.txt";

let pendingFiles: readonly File[] = [];
let pastedText = "";
let release = () => {};

onPersonChange(() => {
  setPendingImport([]);
  setPastedText("");
});

/**
 * Holds files on their way from home to the import screen, or to the server. They are in memory
 * only, so the page does not reload by itself meanwhile.
 */
export function setPendingImport(files: readonly File[]): void {
  pendingFiles = files;
  hold();
}

export function readPendingImport(): readonly File[] {
  return pendingFiles;
}

/** Holds pasted text while its screen is left. */
export function setPastedText(text: string): void {
  pastedText = text;
  hold();
}

export function readPastedText(): string {
  return pastedText;
}

export function toPastedFile(text: string): File {
  return new File([text], PASTED_NAME, { type: "text/plain" });
}

export function isPastedFile({ name }: File): boolean {
  return name === PASTED_NAME;
}

function hold(): void {
  release();
  release = pendingFiles.length > 0 || pastedText.trim() ? addUnsavedChanges() : () => {};
}
