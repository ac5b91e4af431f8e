/** What is kept for this tab under a key, across a reload; null where there is nothing. */
export function readTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The JSON that is kept for this tab under a key, as `parse` reads it; null where it cannot. */
export function readTabJson<T>(key: string, parse: (json: unknown) => T): T | null {
  try {
    const text = readTab(key);
    return text === null ? null : parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Keeps a text for this tab; null forgets it. Where the storage is full or forbidden nothing is
 * kept: only a reload loses what is still on the screen.
 *
 * @returns Whether it is kept.
 */
export function keepTab(key: string, text: string | null): boolean {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
