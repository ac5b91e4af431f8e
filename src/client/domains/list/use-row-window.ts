import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { rowOf } from "./row-of.ts";

/** Rows beyond either edge of the window that are there already when it is scrolled. */
const BEYOND = 12;
/** The window moves by so many rows at once: fewer renders than one for each row. */
const STEP = 4;
/** Pixels of a row until one could be measured. */
const GUESS = 60;

/** Rows `first` to `last` are rendered; `before` and `after` are the pixels of those that are not. */
export interface RowWindow {
  frame: RefObject<HTMLDivElement | null>;
  first: number;
  last: number;
  before: number;
  after: number;
  /**
   * The row beyond these that has the focus, null where none has. It is rendered too, `top` pixels
   * from row 0: a row that is taken away takes the focus with it.
   */
  held: { row: number; top: number } | null;
  /** Scrolls until a row is in sight, which also renders it. */
  reveal: (row: number) => void;
}

interface Seen {
  first: number;
  last: number;
  pitch: number;
  /** The row that had the focus when the window came here. */
  focus: number | null;
}

/**
 * Which of `count` rows of equal height a person can see while the page scrolls. The height is
 * measured, so it follows the font, the zoom and the layout. `frame` goes around the table.
 */
export function useRowWindow(count: number): RowWindow {
  const frame = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<Seen>({ first: 0, last: 2 * BEYOND, pitch: GUESS, focus: null });

  const look = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    const { pitch, top } = measure(element);
    const first = Math.floor(-top / pitch / STEP) * STEP - BEYOND;
    const last = Math.ceil((innerHeight - top) / pitch / STEP) * STEP + BEYOND;
    const focus = element.contains(document.activeElement) ? rowOf(document.activeElement) : null;
    setSeen((now) =>
      now.first === first && now.last === last && now.pitch === pitch
        ? now
        : { first, last, pitch, focus },
    );
  }, []);

  useEffect(() => {
    const passive = { passive: true };
    addEventListener("scroll", look, passive);
    addEventListener("resize", look, passive);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [look]);
  useLayoutEffect(look, [look, count]);

  const reveal = (row: number) => {
    const element = frame.current;
    if (!element) return;
    const { pitch, top, head } = measure(element);
    const start = top + row * pitch - head;
    // What can be done to selected names stands over the last rows of the window.
    const end = top + (row + 2.5) * pitch - innerHeight;
    if (start < 0) scrollBy({ top: start, behavior: "instant" });
    else if (end > 0) scrollBy({ top: end, behavior: "instant" });
    look();
  };

  const last = Math.min(seen.last, count - 1);
  const first = Math.max(0, Math.min(seen.first, last - 2 * BEYOND));
  const { pitch, focus } = seen;
  const away = focus !== null && focus < count && (focus < first || focus > last);
  return {
    frame,
    first,
    last,
    before: first * pitch,
    after: (count - 1 - last) * pitch,
    held: away ? { row: focus, top: focus * pitch } : null,
    reveal,
  };
}

/** Pixels from one row to the next, from the window's top to row 0, and of the heading. */
function measure(frame: HTMLElement) {
  const rows = frame.querySelectorAll("tbody > tr:not(.held)");
  const [start, end] = [rows[0], rows[rows.length - 1]].map((row) => row?.getBoundingClientRect());
  const many = rows.length > 1 && start && end ? (end.top - start.top) / (rows.length - 1) : 0;
  const head = frame.querySelector("thead")?.getBoundingClientRect().height ?? 0;
  const top = frame.getBoundingClientRect().top + head;
  return { pitch: Math.round(many * 100) / 100 || start?.height || GUESS, top, head };
}
