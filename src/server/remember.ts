/** Keys that are longer are not worth their memory: no browser sends them. */
const LONGEST_KEY = 200;

/** Answers kept; when there are more, all are forgotten. */
const MOST = 100;

/**
 * Keeps what `compute` made of the keys of late, for work that every request would repeat. What a
 * client can send is endless, so what is kept is not.
 */
export function remember<V>(compute: (key: string) => V): (key: string) => V {
  const known = new Map<string, V>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    if (known.size >= MOST) known.clear();
    if (key.length <= LONGEST_KEY) known.set(key, value);
    return value;
  };
}
