/** A longer key is not worth its memory. */
const MAX_KEY_LENGTH = 200;

/** Results kept; when there are more, all are dropped. */
const MAX_ENTRIES = 1000;

/** Bounded, as keys may come from outside. `compute` must be pure, and its result stay unchanged. */
export function memoize<V>(compute: (key: string) => V): (key: string) => V {
  const results = new Map<string, V>();
  return (key) => {
    const found = results.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    if (results.size >= MAX_ENTRIES) results.clear();
    if (key.length <= MAX_KEY_LENGTH) results.set(key, value);
    return value;
  };
}
