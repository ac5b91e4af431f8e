import { keepTab, readTab } from "../tab-store.ts";

const KEY = "import-pasted";

/** What pasted text is called in the list of imports. */
const NAME = "Pasted names.txt";

/** The pasted text of this tab that has not been imported yet; empty where there is none. */
export function readPasted(): string {
  return readTab(KEY) ?? "";
}

/** Keeps pasted text for this tab, across a reload. What is too long for that leaves nothing. */
export function keepPasted(text: string): void {
  if (!keepTab(KEY, text || null)) keepTab(KEY, null);
}

/** Pasted text as the import takes it. */
export function toPastedFile(text: string): File {
  return new File([text], NAME, { type: "text/plain" });
}

/** Whether a file is pasted text, or passes for it. */
export function isPasted({ name }: File): boolean {
  return name === NAME;
}
