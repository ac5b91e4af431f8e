import { useState } from "react";
import type { Listing } from "../listing.ts";

/** The ids of selected domains; null: every match, loaded or not. */
type Selection = ReadonlySet<string> | null;

export const EMPTY_SELECTION: Selection = new Set<string>();

/** Selects or deselects domains, unless every match is selected. */
export function toggleIds(selection: Selection, ids: readonly string[], on: boolean): Selection {
  const set = new Set(ids);
  return selection && (on ? selection.union(set) : selection.difference(set));
}

/** What is selected, without what has left a list of which all rows are known. */
function withoutGone(selection: Selection, listing: Listing | undefined): Selection {
  if (!selection?.size || !listing || listing.rows.size < listing.total) return selection;
  const there = new Set(Array.from(listing.rows.values(), ({ id }) => id));
  return selection.isSubsetOf(there) ? selection : selection.intersection(there);
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
        const isPart = left === done || (left && done && left.isSubsetOf(done));
        return isPart && now.view === view ? { view, selection: EMPTY_SELECTION } : now;
      });
    },
  };
}
