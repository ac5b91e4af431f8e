import { keepTab, readTab } from "../../tab-store.ts";

const KEY = "import-pasted";

/** The pasted text of this tab that has not been imported yet; empty where there is none. */
export function readPasted(): string {
  return readTab(KEY) ?? "";
}

/** Keeps pasted text for this tab, across a reload. */
export function keepPasted(text: string): void {
  keepTab(KEY, text || null);
}
