import { createStore, useStore } from "./store.ts";

/** How this browser shows things. `browser` follows its locale, `iso` is `2026-11-22`. */
export interface Preferences {
  theme: "system" | "light" | "dark";
  dates: "browser" | "en-GB" | "en-US" | "de-DE" | "fr-FR" | "iso";
  numbers: "browser" | "en-US" | "de-DE" | "fr-FR" | "de-CH";
  rows: "compact" | "comfortable";
}

type Choices = {
  readonly [N in keyof Preferences]: readonly [Preferences[N], ...Preferences[N][]];
};

/** What can be chosen, the default first. */
export const PREFERENCES: Choices = {
  theme: ["system", "light", "dark"],
  dates: ["browser", "en-GB", "en-US", "de-DE", "fr-FR", "iso"],
  numbers: ["browser", "en-US", "de-DE", "fr-FR", "de-CH"],
  rows: ["compact", "comfortable"],
};

/** Begins their keys in `localStorage`. */
const PREFIX = "preference-";

/** Their value is the same object until one changes. */
export const preferences = createStore(readAll());

/** Preferences, kept up to date, for the root and for memoized components with dates or numbers. */
export const usePreferences = () => useStore(preferences);

/** Stores a preference for all tabs of this browser, and applies it. */
export function setPreference<N extends keyof Preferences>(name: N, value: Preferences[N]): void {
  tryStorage(() => localStorage.setItem(PREFIX + name, value));
  // Without storage it holds until the page is left.
  become({ ...preferences.get(), [name]: value });
}

/** Applies theme and row height to the page, and follows other tabs. Called once, at the start. */
export function applyPreferences(): void {
  apply();
  window.addEventListener("storage", ({ key }) => {
    // Null: all was cleared.
    if (key === null || key.startsWith(PREFIX)) become(readAll());
  });
}

function apply(): void {
  const { theme, rows } = preferences.get();
  Object.assign(document.documentElement.dataset, { theme, rows });
  // The colour of the browser's own bars, one for each theme.
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    const own = meta.dataset["theme"];
    if (theme === "system") meta.media = `(prefers-color-scheme: ${own})`;
    else meta.media = theme === own ? "all" : "not all";
  }
}

function become(next: Preferences): void {
  preferences.set(next);
  apply();
}

function readAll(): Preferences {
  return {
    theme: read("theme"),
    dates: read("dates"),
    numbers: read("numbers"),
    rows: read("rows"),
  };
}

function read<N extends keyof Preferences>(name: N): Preferences[N] {
  const stored = tryStorage(() => localStorage.getItem(PREFIX + name));
  return PREFERENCES[name].find((choice) => choice === stored) ?? PREFERENCES[name][0];
}

/** What `use` returns; null if the storage is forbidden or full. */
export function tryStorage<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
