import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

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
  /** Scrolls until a row is in sight, which also renders it. */
  reveal: (row: number) => void;
}

/**
 * Which of `count` rows of equal height a person can see while the page scrolls. The height is
 * measured, so it follows the font, the zoom and the layout. `frame` goes around the table.
 */
export function useRowWindow(count: number): RowWindow {
  const frame = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ first: 0, last: 2 * BEYOND, pitch: GUESS });

  const look = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    const { pitch, top } = measure(element);
    const first = Math.floor(-top / pitch / STEP) * STEP - BEYOND;
    const last = Math.ceil((innerHeight - top) / pitch / STEP) * STEP + BEYOND;
    setSeen((now) =>
      now.first === first && now.last === last && now.pitch === pitch
        ? now
        : { first, last, pitch },
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
  const { pitch } = seen;
  return { frame, first, last, before: first * pitch, after: (count - 1 - last) * pitch, reveal };
}

/** Pixels from one row to the next, from the window's top to row 0, and of the heading. */
function measure(frame: HTMLElement) {
  const rows = frame.querySelectorAll("tbody > tr");
  const [start, end] = [rows[0], rows[rows.length - 1]].map((row) => row?.getBoundingClientRect());
  const many = rows.length > 1 && start && end ? (end.top - start.top) / (rows.length - 1) : 0;
  const head = frame.querySelector("thead")?.getBoundingClientRect().height ?? 0;
  const top = frame.getBoundingClientRect().top + head;
  return { pitch: Math.round(many * 100) / 100 || start?.height || GUESS, top, head };
}
