import { useEffect, useRef } from "react";
import { useShortcutKeys } from "../../register/shortcut-keys.ts";
import { rowOf } from "./use-row-window.ts";

const MOVES: Record<string, (row: number, count: number) => number> = {
  ArrowDown: (row) => row + 1,
  ArrowUp: (row) => row - 1,
  j: (row) => row + 1,
  k: (row) => row - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Keys that count while held. Space, which would scroll the page, toggles once. */
const HELD_KEYS = [...Object.keys(MOVES), " "];

interface Options {
  count: number;
  /** The row of the open panel; null without a panel, -1 if it is not in the list. */
  opened: number | null;
  reveal: (row: number) => void;
  onOpen: (row: number) => void;
  /** Toggles the rows between `row` and `from`, which are the same without Shift. */
  onToggle: (row: number, from: number) => void;
}

/**
 * Moves between rows with the arrow keys, `j` and `k`, which also move an open panel. The focus is
 * on a row's link, so that Enter opens it and assistive technology finds a plain table. Space
 * selects, Shift+Space selects a range.
 *
 * @returns Records a toggle by pointer, and returns `from` for it.
 */
export function useRowCursor({ count, opened, reveal, onOpen, onToggle }: Options) {
  const current = useRef(-1);
  const anchor = useRef(0);
  const pending = useRef<number>(null);
  /** The panel's row requested last: keys may be faster than the address. */
  const asked = useRef<number>(null);

  useEffect(() => {
    if (opened === null || asked.current === opened) asked.current = null;
  }, [opened]);

  function focusPending() {
    const link = document.querySelector<HTMLElement>(`#row-${pending.current} .row-link`);
    if (!link) return;
    pending.current = null;
    link.focus({ preventScroll: true });
  }
  useEffect(focusPending);

  useShortcutKeys((key, event) => {
    if (count === 0) return;
    const { activeElement } = document;
    const focused = rowOf(activeElement);
    const row = focused ?? current.current;
    const move = MOVES[key];
    const letter = key === "j" || key === "k";
    // The heading has the focus on arrival and after a bulk change. Letters work everywhere.
    if (focused === null && !letter) {
      if (!activeElement?.matches("body, h1")) return;
      if (key === "Home" || key === "End") return;
    }
    if (move) {
      event.preventDefault();
      const from = letter && opened !== null && opened >= 0 ? (asked.current ?? opened) : row;
      const next = Math.min(Math.max(move(from, count), 0), count - 1);
      current.current = next;
      reveal(next);
      if (letter && opened !== null) {
        asked.current = next;
        return onOpen(next);
      }
      pending.current = next;
      focusPending();
    } else if (key === " " && row >= 0 && !activeElement?.matches("button, input")) {
      event.preventDefault();
      if (!event.repeat) onToggle(row, moveTo(row, event.shiftKey));
    }
  }, HELD_KEYS);

  function moveTo(row: number, range: boolean): number {
    const from = range ? Math.min(anchor.current, count - 1) : row;
    current.current = row;
    anchor.current = row;
    return from;
  }

  return moveTo;
}
