import { useEffect, useRef } from "react";
import { useShortcutKeys } from "./shortcuts.tsx";
import { rowOf } from "./use-row-window.ts";

const MOVES: Record<string, (row: number, count: number) => number> = {
  ArrowDown: (row) => row + 1,
  ArrowUp: (row) => row - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Moves between rows with the arrow keys. The focus is on the link of a row, so that Enter opens it
 * and assistive technology still finds a plain table. Space selects, Shift+Space selects a range.
 *
 * @param onToggle Called to toggle the rows between `row` and `from`: the same row without Shift,
 *   the row toggled before with it.
 * @returns Notes that a row was toggled by pointer, and returns `from` for it.
 */
export function useRowCursor(
  count: number,
  reveal: (row: number) => void,
  onToggle: (row: number, from: number) => void,
): (row: number, range: boolean) => number {
  const current = useRef(-1);
  const anchor = useRef(0);
  const pending = useRef<number>(null);

  /** Focuses the pending row, once it is rendered. */
  function focusPending() {
    const link = document.querySelector<HTMLElement>(`#row-${pending.current} th a`);
    if (!link) return;
    pending.current = null;
    link.focus({ preventScroll: true });
  }
  useEffect(focusPending);

  useShortcutKeys((event) => {
    if (count === 0) return;
    const { activeElement } = document;
    const focused = rowOf(activeElement);
    const row = focused ?? current.current;
    const move = MOVES[event.key];
    if (focused === null) {
      // The heading has the focus on arrival, and after a bulk change.
      if (!activeElement?.matches("body, h1")) return;
      if (event.key === "Home" || event.key === "End") return;
    }
    if (move) {
      event.preventDefault();
      const next = Math.min(Math.max(move(row, count), 0), count - 1);
      current.current = next;
      pending.current = next;
      reveal(next);
      focusPending();
    } else if (event.key === " " && row >= 0 && !activeElement?.matches("button, input")) {
      event.preventDefault();
      onToggle(row, moveTo(row, event.shiftKey));
    }
  });

  function moveTo(row: number, range: boolean): number {
    const from = range ? Math.min(anchor.current, count - 1) : row;
    current.current = row;
    anchor.current = row;
    return from;
  }

  return moveTo;
}
