/** What `use` returns; null where the browser forbids its storage, or has no room in it. */
export function tryStorage<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}

/** What is kept for this tab under a key, across a reload; null where there is nothing. */
export function readTab(key: string): string | null {
  return tryStorage(() => sessionStorage.getItem(key));
}

/** The JSON that is kept for this tab under a key, as `parse` reads it; null where it cannot. */
export function readTabJson<T>(key: string, parse: (json: unknown) => T): T | null {
  // Where there is nothing, that is no JSON.
  return tryStorage(() => parse(JSON.parse(sessionStorage.getItem(key) ?? "")));
}

/**
 * Keeps a text for this tab; null forgets it. Where the storage is full or forbidden nothing is
 * kept: only a reload loses what is still on the screen.
 *
 * @returns Whether it is kept.
 */
export function keepTab(key: string, text: string | null): boolean {
  const kept = tryStorage(() => {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    return true;
  });
  return kept !== null;
}
