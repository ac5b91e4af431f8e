import { useEffect, useEffectEvent } from "react";
import { shortcutOf } from "../ui/page.ts";
import { tryStorage } from "../ui/preferences.ts";

/** Key in local storage; its value is `off`, or absent. */
const STORAGE_KEY = "shortcuts";

/** The last key, if it was a shortcut: what it focused must not get its repeats. */
let lastKey = "";

const OVERLAYS = "dialog[open], [popover]";

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
 * Calls back for key presses that may be shortcuts: no modifier but Shift, not while typing, and
 * not while a dialog or menu is open. Characters can be turned off. A held key counts once: its
 * repeats would act on the next row.
 *
 * @param onKey Receives the key as `shortcutOf` has it.
 * @param held Keys that count as long as they are held, such as those that only move the focus.
 */
export function useShortcutKeys(
  onKey: (key: string, event: KeyboardEvent) => void,
  held: readonly string[] = [],
): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (isShortcutKey(event)) {
      const key = shortcutOf(event);
      if (event.repeat && !held.includes(key)) return;
      lastKey = event.key;
      onKey(key, event);
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
