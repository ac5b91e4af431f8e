import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Domain, DomainInput } from "../../shared/domain.ts";
import { useDomainChange } from "../register/domain-change.ts";
import { invalidate } from "../register/resource.tsx";
import { useShortcutKeys } from "../register/shortcut-keys.ts";

const SUMMARY_PATH = "/api/summary";

export const ROW_CLASS = "work-row";

export function rowId(id: string): string {
  return `work-${id}`;
}

/**
 * Changes the domain of a row. The row leaves its group at once, and the next one gets the focus.
 * If the server refuses, the row comes back.
 *
 * @param place The element around all rows.
 */
export function useWorkRows(place: RefObject<Element | null>) {
  /** The saved version of each domain: no older one is shown. */
  const [saved, setSaved] = useState<ReadonlyMap<string, number>>(new Map());
  const focusNext = useRef<HTMLElement>(null);
  const { pending, change } = useDomainChange({
    place,
    isBrief: true,
    onSaved({ id, version }) {
      setSaved((all) => new Map(all).set(id, version));
      invalidate(SUMMARY_PATH);
    },
    onNewer: () => invalidate(SUMMARY_PATH),
  });

  useLayoutEffect(() => {
    // Rows move up to where the focus was: nothing has to scroll.
    focusNext.current?.focus({ preventScroll: true });
    focusNext.current = null;
  });

  return {
    change(domain: Domain, input: DomainInput) {
      focusNext.current = findNext(document.getElementById(rowId(domain.id)));
      change(domain, input);
    },
    isVisible: ({ id, version }: Domain) => !pending.has(id) && version >= (saved.get(id) ?? 0),
  };
}

/** The control of the next row, or of the one before, that corresponds to the focused one. */
function findNext(row: HTMLElement | null): HTMLElement | null {
  const focused = document.activeElement;
  // A dialog returns the focus to its row.
  if (!row || !(row.contains(focused) || focused?.closest("dialog"))) return null;
  const rows = allRows();
  const at = rows.indexOf(row);
  const next = rows[at + 1] ?? rows[at - 1];
  const key = focused?.getAttribute("aria-keyshortcuts");
  if (!next) return document.querySelector("h1");
  const same = key && `[aria-keyshortcuts="${CSS.escape(key)}"]`;
  return (same && next.querySelector<HTMLElement>(same)) || next.querySelector("a");
}

function allRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`.${ROW_CLASS}`)];
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/**
 * Arrows, `j` and `k` move between rows, as in the list of domains. The letters also lead from the
 * heading, which has the focus on arrival, to the first row.
 *
 * @param onLetter Receives any other key of one character, and the id of its row.
 */
export function useRowKeys(onLetter: (key: string, row: string) => void): void {
  useShortcutKeys((event) => {
    const { key, target } = event;
    if (!(target instanceof Element)) return;
    const row = target.closest<HTMLElement>(`.${ROW_CLASS}`);
    const step = STEPS[key];
    const rows = allRows();
    const isArriving = key.length === 1 && target.matches("body, h1");
    const next = step && (row ? rows[rows.indexOf(row) + step] : isArriving && rows[0]);
    if (next) {
      event.preventDefault();
      next.querySelector("a")?.focus();
    } else if (row && !step && key.length === 1) onLetter(key.toLowerCase(), row.id);
  }, Object.keys(STEPS));
}
