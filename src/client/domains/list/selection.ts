import { useState } from "react";
import type { Listing } from "../listing.ts";

/** Selected domains: a list, or every match, loaded or not. */
export type Selection = { all: true } | { all: false; ids: ReadonlySet<string> };

export const EMPTY_SELECTION: Selection = { all: false, ids: new Set() };

/** @param total Of all that match. */
export function countSelected(selection: Selection, total: number): number {
  return selection.all ? total : selection.ids.size;
}

export function isSelected(selection: Selection, id: string): boolean {
  return selection.all || selection.ids.has(id);
}

/** Selects or deselects domains, unless every match is selected. */
export function toggleIds(selection: Selection, ids: readonly string[], on: boolean): Selection {
  if (selection.all) return selection;
  const set = new Set(ids);
  return { all: false, ids: on ? selection.ids.union(set) : selection.ids.difference(set) };
}

/** What is selected, without what has left a list of which all rows are known. */
function withoutGone(selection: Selection, listing: Listing | undefined): Selection {
  if (selection.all || selection.ids.size === 0) return selection;
  if (!listing || listing.rows.size < listing.total) return selection;
  const there = new Set(Array.from(listing.rows.values(), ({ id }) => id));
  const ids = selection.ids.intersection(there);
  return ids.size < selection.ids.size ? { all: false, ids } : selection;
}

/** The selection of a view, of which `listing` is: each has its own, which the next view drops. */
export function useSelection(view: string, listing: Listing | undefined) {
  const [last, setLast] = useState({ view, selection: EMPTY_SELECTION });
  const ownOf = (state: typeof last) => (state.view === view ? state.selection : EMPTY_SELECTION);
  const selection = withoutGone(ownOf(last), listing);
  if (selection !== ownOf(last)) setLast({ view, selection });
  return {
    selection,
    select(update: (now: Selection) => Selection) {
      setLast((now) => ({ view, selection: update(ownOf(now)) }));
    },
    /** Empties a selection, unless more is selected, or the view has changed, meanwhile. */
    deselect(done: Selection) {
      setLast((now) => {
        const { selection: left } = now;
        const isPart = !left.all && !done.all && left.ids.isSubsetOf(done.ids);
        const isDone = now.view === view && (left === done || isPart);
        return isDone ? { view, selection: EMPTY_SELECTION } : now;
      });
    },
  };
}
