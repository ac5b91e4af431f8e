import { useEffect } from "react";
import { shortcutOf } from "../ui/page.ts";
import { createStore } from "../ui/store.ts";

/** Whether the palette, which belongs to no screen, is open. */
export const paletteOpen = createStore(false);

/**
 * Opens the palette on Ctrl-K, or Cmd-K on a Mac, but not over a dialog, where leaving the screen
 * could lose what was typed.
 */
export function usePaletteKey(enabled: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { altKey, shiftKey, ctrlKey, metaKey } = event;
      const modified = isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey;
      if (shortcutOf(event) !== "k" || !modified || altKey || shiftKey) return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) paletteOpen.set(true);
    };
    if (enabled) document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [enabled]);
}

/** The keys that open the palette, as they are called on this device. */
export function paletteKeyName(): string {
  return isMac() ? "⌘ K" : "Ctrl K";
}

function isMac(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}
