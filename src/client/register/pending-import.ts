import { addUnsavedChanges } from "../ui/unsaved-changes.ts";
import { onPersonChange } from "../session/session-store.ts";

/** Name of the file that pasted text becomes, as the list of imports shows it. */
const PASTED_NAME = "Pasted domains.txt";

let pendingFiles: readonly File[] = [];
let pastedText = "";
let release = () => {};

onPersonChange(() => {
  setPendingImport([]);
  setPastedText("");
});

/**
 * Holds files that are on their way into the register: from home to the import screen, or to the
 * server. They are in memory only, so the page does not reload by itself while there are any.
 */
export function setPendingImport(files: readonly File[]): void {
  pendingFiles = files;
  hold();
}

/** The files that are on their way. */
export function readPendingImport(): readonly File[] {
  return pendingFiles;
}

/** Holds what was pasted and not imported yet, while its screen is left. */
export function setPastedText(text: string): void {
  pastedText = text;
  hold();
}

/** What was pasted and not imported yet. */
export function readPastedText(): string {
  return pastedText;
}

/** Pasted text as the import takes it. */
export function toPastedFile(text: string): File {
  return new File([text], PASTED_NAME, { type: "text/plain" });
}

/** Whether a file is pasted text. */
export function isPastedFile({ name }: File): boolean {
  return name === PASTED_NAME;
}

function hold(): void {
  release();
  release = pendingFiles.length > 0 || pastedText.trim() ? addUnsavedChanges() : () => {};
}
