import { useEffect, useRef } from "react";
import { isRecord } from "../../../shared/parse.ts";

/** Notes in this entry of the history which row leads away from it. */
export function leaveFromRow(name: string): void {
  history.replaceState({ row: name }, "");
}

/** Focuses the row of a domain, and returns whether it is there. */
export function focusRow(name: string): boolean {
  const row = document.querySelector<HTMLElement>(`[data-domain="${CSS.escape(name)}"]`);
  row?.focus({ preventScroll: true });
  return row !== null;
}

/** Back from a domain's page: returns the focus to its row as soon as that is rendered. */
export function useReturnToRow(): void {
  const wanted = useRef(readRow());
  useEffect(() => {
    const name = wanted.current;
    if (name === null) return undefined;
    // The router focuses the heading on arrival, after the effects of the screen.
    const timer = setTimeout(() => {
      const movedOn = !document.activeElement?.matches("body, h1");
      if (movedOn || focusRow(name)) wanted.current = null;
    });
    return () => clearTimeout(timer);
  });
}

function readRow(): string | null {
  const state: unknown = history.state;
  return isRecord(state) && typeof state.row === "string" ? state.row : null;
}
