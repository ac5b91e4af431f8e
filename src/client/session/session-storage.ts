import { tryStorage } from "../ui/preferences.ts";

/** The text that is stored for this tab under a key; null where there is none. */
export function readStored(key: string): string | null {
  return tryStorage(() => sessionStorage.getItem(key));
}

/** The JSON that is stored for this tab under a key, as `parse` reads it; null where it cannot. */
export function readStoredJson<T>(key: string, parse: (json: unknown) => T): T | null {
  // Where nothing is stored, the empty text is no JSON.
  return tryStorage(() => parse(JSON.parse(sessionStorage.getItem(key) ?? "")));
}

/**
 * Stores a text for this tab until its person signs out; null deletes it. Where the storage is full
 * or forbidden, a reload loses what is on the screen.
 *
 * @returns Whether it is stored.
 */
export function store(key: string, text: string | null): boolean {
  const stored = tryStorage(() => {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    return true;
  });
  return stored !== null;
}
