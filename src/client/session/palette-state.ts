import { useEffect } from "react";
import { createStore, useStore } from "../ui/store.ts";

const open = createStore(false);

/** Opens or closes the palette, which is no part of any screen. */
export function setPaletteOpen(next: boolean): void {
  open.set(next);
}

export function usePaletteOpen(): boolean {
  return useStore(open);
}

/**
 * Opens the palette on Ctrl-K, or Cmd-K on a Mac, while `enabled`: not over a dialog, because leaving
 * the screen could lose what was typed there.
 */
export function usePaletteKey(enabled: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
      const modified = isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey;
      if (key.toLowerCase() !== "k" || !modified || altKey || shiftKey) return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) setPaletteOpen(true);
    };
    if (enabled) document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [enabled]);
}

/** What opens the palette, as the keys of this device are called. */
export function paletteKeyName(): string {
  return isMac() ? "⌘ K" : "Ctrl K";
}

function isMac(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}
