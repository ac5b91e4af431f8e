/** What `use` returns; null where the browser forbids its storage, or has no room in it. */
export function tryStorage<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
