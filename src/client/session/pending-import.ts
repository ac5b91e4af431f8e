import { addUnsavedChanges } from "../ui/unsaved-changes.ts";
import { onPersonChange } from "./session-store.ts";

/** Name of the file that pasted text becomes, as the list of imports shows it. */
const PASTED_NAME = "Pasted domains.txt";

let pendingFile: File | null = null;
let pastedText = "";
let release = () => {};

onPersonChange(() => {
  setPendingImport(null);
  setPastedText("");
});

/**
 * Holds a file that is on its way into the register: from home to the import screen, or to the
 * server. It is in memory only, so the page does not reload by itself until null takes its place.
 */
export function setPendingImport(file: File | null): void {
  pendingFile = file;
  hold();
}

/** The file that is on its way; null where none is. */
export function readPendingImport(): File | null {
  return pendingFile;
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
  release = pendingFile || pastedText.trim() ? addUnsavedChanges() : () => {};
}
