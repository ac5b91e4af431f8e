import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Domain } from "../../../shared/domain.ts";
import { domainAt, indexesBetween, type Listing } from "../listing.ts";

/** Rows rendered beyond the viewport, so that scrolling finds them. */
const OVERSCAN_ROWS = 2;
/** The window moves by this many rows, to render less often. */
const STEP_ROWS = 2;
const ESTIMATED_ROW_PX = 60;

interface Measured {
  first: number;
  last: number;
  /** Pixels from one row to the next. */
  pitch: number;
  focus: number | null;
}

/**
 * Computes which of `count` rows of equal height are visible. The height is measured, so it follows
 * font, zoom and layout. `frame` is the element around the table. Rows `first` to `last` are
 * rendered; `before` and `after` are the pixels of all others.
 */
export function useRowWindow(count: number) {
  const frame = useRef<HTMLDivElement>(null);
  const [measured, setMeasured] = useState<Measured>({
    first: 0,
    last: 2 * OVERSCAN_ROWS,
    pitch: ESTIMATED_ROW_PX,
    focus: null,
  });

  const update = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    const { pitch, top } = measure(element);
    const start = Math.floor(-top / pitch / STEP_ROWS) * STEP_ROWS;
    const end = Math.ceil((innerHeight - top) / pitch / STEP_ROWS) * STEP_ROWS;
    const first = start - OVERSCAN_ROWS;
    const last = end + OVERSCAN_ROWS;
    const focus = element.contains(document.activeElement) ? rowOf(document.activeElement) : null;
    setMeasured((now) =>
      now.first === first && now.last === last && now.pitch === pitch
        ? now
        : { first, last, pitch, focus },
    );
  }, []);

  useEffect(() => {
    const passive = { passive: true };
    addEventListener("scroll", update, passive);
    addEventListener("resize", update, passive);
    // Row heights change with the width and the person's preference.
    const observer = new ResizeObserver(update);
    if (frame.current) observer.observe(frame.current);
    return () => {
      removeEventListener("scroll", update);
      removeEventListener("resize", update);
      observer.disconnect();
    };
  }, [update]);
  useLayoutEffect(update, [update, count]);

  const reveal = (row: number) => {
    const element = frame.current;
    if (!element) return;
    const { pitch, top, head } = measure(element);
    // The bar of a selection covers the rows at the upper edge.
    const bar = document.querySelector<HTMLElement>(".bulk-bar")?.offsetHeight ?? 0;
    const start = top + row * pitch - head - bar;
    const end = top + (row + 1) * pitch - innerHeight;
    if (start < 0) scrollBy({ top: start, behavior: "instant" });
    else if (end > 0) scrollBy({ top: end, behavior: "instant" });
    update();
  };

  const last = Math.min(measured.last, count - 1);
  const first = Math.max(0, Math.min(measured.first, last - 2 * OVERSCAN_ROWS));
  const { pitch, focus } = measured;
  const outside = focus !== null && focus < count && (focus < first || focus > last);
  return {
    frame,
    first,
    last,
    before: first * pitch,
    after: (count - 1 - last) * pitch,
    // A focused row outside the window is rendered too, to keep its focus.
    focused: outside ? { row: focus, top: focus * pitch } : null,
    reveal,
  };
}

function measure(frame: HTMLElement) {
  const rows = frame.querySelectorAll("tbody > tr:not(.focused)");
  const [start, end] = [rows[0], rows[rows.length - 1]].map((row) => row?.getBoundingClientRect());
  const average = rows.length > 1 && start && end ? (end.top - start.top) / (rows.length - 1) : 0;
  const head = frame.querySelector("thead")?.getBoundingClientRect().height ?? 0;
  const top = frame.getBoundingClientRect().top + head;
  const pitch = Math.round(average * 100) / 100 || start?.height || ESTIMATED_ROW_PX;
  return { pitch, top, head };
}

/** The index, from 0, of the row around an element, if any. */
export function rowOf(element: Element | null): number | null {
  const row = element?.closest("tbody > tr[aria-rowindex]");
  return row ? Number(row.getAttribute("aria-rowindex")) - 2 : null;
}

/** The first and last row on the screen, neither below the heading nor below the bar. */
export function findRowsOnScreen(): [first: number, last: number] {
  const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
  const start = Math.max(box(".domain-table thead th")?.bottom ?? 0, box(".bulk-bar")?.bottom ?? 0);
  const end = innerHeight;
  const seen = [...document.querySelectorAll("tbody > tr[aria-rowindex]")].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    return middle >= start && middle <= end;
  });
  return [rowOf(seen[0] ?? null) ?? 0, rowOf(seen.at(-1) ?? null) ?? -1];
}

/** A row to render and its index; undefined while it is loading. */
interface WindowRow {
  index: number;
  domain: Domain | undefined;
}

/**
 * The rows of the window, and a focused row outside it, which keeps its contents when the listing
 * evicts them.
 */
export function useWindowRows(
  listing: Listing,
  { first, last, focused }: Pick<ReturnType<typeof useRowWindow>, "first" | "last" | "focused">,
): WindowRow[] {
  const [kept, setKept] = useState<WindowRow | null>(null);
  const keptAt = (index: number) => (kept?.index === index ? kept.domain : undefined);
  const rowAt = (index: number) => ({ index, domain: domainAt(listing, index) ?? keptAt(index) });
  const rows = indexesBetween(first, last).map(rowAt);
  if (focused === null) return rows;
  const row = rowAt(focused.row);
  const { index, domain } = row;
  if (domain && keptAt(index) !== domain) setKept(row);
  // It has moved into the window.
  if (domain && rows.some((each) => each.domain?.id === domain.id)) return rows;
  return index < first ? [row, ...rows] : [...rows, row];
}
