import { basePath } from "../base-path.ts";
import { tryStorage } from "../ui/preferences.ts";

/** Registers on one host share the storage of a tab. */
const own = (key: string) => basePath + key;

/** The text that is stored for this tab under a key; null where there is none. */
export function readStored(key: string): string | null {
  return tryStorage(() => sessionStorage.getItem(own(key)));
}

/** The JSON that is stored for this tab under a key, as `parse` reads it; null where it cannot. */
export function readStoredJson<T>(key: string, parse: (json: unknown) => T): T | null {
  // Where nothing is stored, the empty text is no JSON.
  return tryStorage(() => parse(JSON.parse(sessionStorage.getItem(own(key)) ?? "")));
}

/**
 * Stores a text for this tab until its person signs out; null deletes it. Where the storage is full
 * or forbidden, a reload loses what is on the screen.
 *
 * @returns Whether it is stored.
 */
export function store(key: string, text: string | null): boolean {
  const stored = tryStorage(() => {
    if (text === null) sessionStorage.removeItem(own(key));
    else sessionStorage.setItem(own(key), text);
    return true;
  });
  return stored !== null;
}
