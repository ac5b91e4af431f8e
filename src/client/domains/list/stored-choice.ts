/** Reads what a person chose on this device, one of `known` each; null where nothing is stored. */
export function readChoice<T extends string>(key: string, known: readonly T[]): T[] | null {
  try {
    const text = localStorage.getItem(key);
    const stored = text?.split(",") ?? [];
    return text === null ? null : known.filter((each) => stored.includes(each));
  } catch {
    return null;
  }
}

/** Keeps a choice on this device. Where nothing can be stored it holds until the next load. */
export function keepChoice(key: string, chosen: readonly string[]): void {
  try {
    localStorage.setItem(key, chosen.join(","));
  } catch {
    // Storage is full or forbidden.
  }
}
