import { useEffect, useEffectEvent } from "react";
import { tryStorage } from "../ui/preferences.ts";

/** Key in local storage; its value is `off`, or absent. */
const STORAGE_KEY = "shortcuts";

/** The key that was pressed last, if as a shortcut: what it has focused gets none of its repeats. */
let lastKey = "";

/** What has keys of its own while it is open. */
const OVERLAYS = "dialog[open], [popover]";

/** Whether characters are shortcuts on this device. */
export function areShortcutsEnabled(): boolean {
  return tryStorage(() => localStorage.getItem(STORAGE_KEY)) !== "off";
}

/** Turns characters off as shortcuts, for people who use speech input (WCAG 2.2, 2.1.4), or on. */
export function enableShortcuts(on: boolean): void {
  tryStorage(() =>
    on ? localStorage.removeItem(STORAGE_KEY) : localStorage.setItem(STORAGE_KEY, "off"),
  );
}

/**
 * Calls back for key presses that may trigger a shortcut: no modifier but Shift, not while typing,
 * and not while a dialog or menu is open, wherever the focus is. Characters can be turned off. A key
 * that is held down counts once, as what it does would be done to what comes next, and types nothing.
 *
 * @param held Keys that call back as long as they are held, such as those that only move the focus.
 */
export function useShortcutKeys(
  onKey: (event: KeyboardEvent) => void,
  held: readonly string[] = [],
): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (isShortcutKey(event)) {
      if (event.repeat && !held.includes(event.key)) return;
      lastKey = event.key;
      onKey(event);
    } else if (event.repeat && event.key === lastKey) event.preventDefault();
    else if (!event.defaultPrevented) lastKey = "";
  });
  useEffect(() => {
    const onKeydown = (event: KeyboardEvent) => listen(event);
    document.addEventListener("keydown", onKeydown);
    return () => document.removeEventListener("keydown", onKeydown);
  }, []);
}

function isShortcutKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key.length === 1 && event.key !== " " && !areShortcutsEnabled()) return false;
  if (document.querySelector(OVERLAYS)) return false;
  const { target } = event;
  if (!(target instanceof Element)) return true;
  return !target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
}
