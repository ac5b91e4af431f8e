import { useCallback, useMemo, useState, useSyncExternalStore } from "react";
import { isCustomName } from "../../../shared/filter.ts";
import { type Column, DEFAULT_COLUMNS } from "./columns.tsx";

/** Up to this width the list has one row of tools, and a floating button to add a domain. */
export const PHONE = "(max-width: 40rem)";

/** From this width on, the panel has room beside the list. */
export const ROOM_FOR_PANEL = "(min-width: 72rem)";

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
    () => false,
  );
}

const MIN_TABLE_REM = 40;
/** Rough width of a column. Name, status and menu take the rest. */
const COLUMN_REM = 7;
const OTHER_COLUMNS_REM = 30;

/**
 * Which of the chosen columns have room, and whether the list is so narrow that each domain becomes
 * a card. `frame` is the ref of the element around the list.
 */
export function useRoom(chosen: readonly Column[]) {
  const [rem, setRem] = useState(0);
  const frame = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const unit = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const measure = () => setRem(Math.floor(element.clientWidth / unit) || Infinity);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  const cards = rem < MIN_TABLE_REM;
  const room = Math.max(Math.floor((rem - OTHER_COLUMNS_REM) / COLUMN_REM), 2);
  // The same list as long as the columns are the same.
  const columns = useMemo(() => {
    if (cards) return chosen;
    // Custom fields come first, because someone chose them.
    const wanted = new Set([...chosen.filter(isCustomName), ...DEFAULT_COLUMNS, ...chosen]);
    const byImportance = [...wanted].filter((column) => chosen.includes(column));
    const shown = new Set(byImportance.slice(0, room));
    return chosen.filter((column) => shown.has(column));
  }, [cards, chosen, room]);
  return { frame, room: rem > 0 && { cards, columns } };
}
