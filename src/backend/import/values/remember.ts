const LIMIT = 1000;

/**
 * Keeps what `parse` made of the first thousand different texts: in an export, most prices, days
 * and tags stand in many rows. `parse` must give the same for the same text, never to be changed.
 */
export function remember<T>(parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = parse(text);
    if (known.size < LIMIT) known.set(text, value);
    return value;
  };
}
