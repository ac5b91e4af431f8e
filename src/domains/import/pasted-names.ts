const KEY = "import-pasted";

/** The pasted text of this tab that has not been imported yet; empty where there is none. */
export function readPasted(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Keeps pasted text for this tab, across a reload. A full or forbidden storage keeps none. */
export function keepPasted(text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, text);
  } catch {
    // The text is still in the form: only a reload would lose it.
  }
}
