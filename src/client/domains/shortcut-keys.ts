import { useEffect, useEffectEvent } from "react";
import { tryStorage } from "../ui/preferences.ts";

/** Key in local storage; its value is `off`, or absent. */
const STORAGE_KEY = "shortcuts";

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
 * and not in a dialog or menu, which have keys of their own. Characters can be turned off.
 */
export function useShortcutKeys(onKey: (event: KeyboardEvent) => void): void {
  const listen = useEffectEvent((event: KeyboardEvent) => isShortcutKey(event) && onKey(event));
  useEffect(() => {
    const onKeydown = (event: KeyboardEvent) => listen(event);
    document.addEventListener("keydown", onKeydown);
    return () => document.removeEventListener("keydown", onKeydown);
  }, []);
}

function isShortcutKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key.length === 1 && event.key !== " " && !areShortcutsEnabled()) return false;
  const { target } = event;
  if (!(target instanceof Element)) return true;
  if (target.closest("dialog, [popover], textarea, select, [contenteditable]")) return false;
  return !target.matches("input:not([type=checkbox])");
}
