import { useEffect, useSyncExternalStore } from "react";
import { getSession } from "./session-store.ts";

/** The key that opens the palette, as a person reads it on this device. */
export const PALETTE_KEY = isMac() ? "⌘ K" : "Ctrl K";

let open = false;
const listeners = new Set<() => void>();

/** Opens or closes the palette, which is no part of any screen. */
export function setPaletteOpen(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

/**
 * Whether the palette is open. Listens for Ctrl-K, or Cmd-K on a Mac, while this is mounted: not where
 * nobody is signed in, nor over a dialog, where leaving the screen could lose what was typed.
 */
export function usePaletteOpen(): boolean {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
      const modified = isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey;
      if (key.toLowerCase() !== "k" || !modified || altKey || shiftKey) return;
      const { state } = getSession();
      // A screen that asks for no session has not loaded it.
      if (state !== "signed-in" && state !== "loading") return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) setPaletteOpen(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
    () => false,
  );
}

function isMac(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}
