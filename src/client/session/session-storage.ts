import { basePath } from "../base-path.ts";
import { tryStorage } from "../ui/preferences.ts";

/** Registers on one host share the storage of a tab. */
const own = (key: string) => basePath + key;

export function readStored(key: string): string | null {
  return tryStorage(() => sessionStorage.getItem(own(key)));
}

/** The JSON stored for this tab, parsed; null if that fails. */
export function readStoredJson<T>(key: string, parse: (json: unknown) => T): T | null {
  // Without a stored value, the empty text is no JSON.
  return tryStorage(() => parse(JSON.parse(sessionStorage.getItem(own(key)) ?? "")));
}

/** Stores a text for this tab until its person signs out, if there is room; null deletes it. */
export function store(key: string, text: string | null): void {
  tryStorage(() =>
    text === null ? sessionStorage.removeItem(own(key)) : sessionStorage.setItem(own(key), text),
  );
}
