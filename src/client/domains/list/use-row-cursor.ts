import { useEffect, useEffectEvent, useRef } from "react";
import { takesKey } from "./key-target.ts";
import { rowOf } from "./row-of.ts";

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Goes from row to row with the arrow keys: the focus is always on a name's link, so that Enter
 * opens it and nothing but a table is told to assistive technology. Space selects.
 *
 * @param onPick Asked to turn the selection of the rows between `row` and `from`: the same without
 * Shift, and with it the one that was picked before.
 * @returns The same for a pointer: notes that a row was picked and says from where on.
 */
export function useRowCursor(
  count: number,
  reveal: (row: number) => void,
  onPick: (row: number, from: number) => void,
): (row: number, range: boolean) => number {
  const at = useRef(-1);
  const anchor = useRef(0);
  const waiting = useRef<number>(null);

  /** Rows are rendered once they are in sight, so the focus may have to wait for its own. */
  function focusWaiting() {
    const link = document.querySelector<HTMLElement>(`#row-${waiting.current} th a`);
    if (!link) return;
    waiting.current = null;
    link.focus({ preventScroll: true });
  }
  useEffect(focusWaiting);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!takesKey(event) || count === 0) return;
    const focused = rowOf(document.activeElement);
    const inRow = focused !== null;
    const now = focused ?? at.current;
    const step = STEPS[event.key];
    // The heading has the focus on arrival, and after what was done to many names.
    const elsewhere = !inRow && !document.activeElement?.matches("body, h1");
    if (elsewhere || (!inRow && (event.key === "Home" || event.key === "End"))) return;
    if (step) {
      event.preventDefault();
      const next = Math.min(Math.max(step(now, count), 0), count - 1);
      at.current = next;
      waiting.current = next;
      reveal(next);
      focusWaiting();
    } else if (event.key === " " && now >= 0 && !document.activeElement?.matches("button, input")) {
      event.preventDefault();
      onPick(now, visit(now, event.shiftKey));
    }
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);

  function visit(row: number, range: boolean): number {
    const from = range ? Math.min(anchor.current, count - 1) : row;
    at.current = row;
    anchor.current = row;
    return from;
  }

  return visit;
}
