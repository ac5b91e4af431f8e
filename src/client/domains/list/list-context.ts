import { createContext, use, useSyncExternalStore } from "react";
import type { Domain } from "../../../shared/domain.ts";
import type { View } from "../../../shared/view.ts";
import type { BulkTarget } from "../../register/domains-api.ts";
import { formatAmount } from "../../ui/format.ts";
import type { Draft } from "../form/domain-values.ts";
import type { Listing } from "../listing.ts";
import type { BulkChange, BulkQuestion } from "./bulk-actions.ts";
import type { BulkDraft } from "./bulk-edit.tsx";
import type { Column } from "./columns.ts";
import type { useDomainList } from "./use-domain-list.ts";

/** Id of the bulk actions; the key `e` focuses the first. */
export const BULK_ACTIONS_ID = "bulk-actions";

/** The open dialog. A draft was typed before a reload. */
export type OpenDialog =
  | { kind: "edit"; domain: Domain | null; draft?: Draft }
  | { kind: "delete"; domain: Domain }
  | { kind: "bulk"; question: BulkQuestion; target: BulkTarget; draft?: BulkDraft };

/** The list around its toolbar, its rows and its bulk bar. */
interface List extends ReturnType<typeof useDomainList> {
  view: View;
  show: (view: View, replace?: boolean) => void;
  /** The chosen columns; there may be no room for all. */
  columns: readonly Column[];
  setColumns: (columns: readonly Column[]) => void;
  selection: Selection;
  select: (update: (now: Selection) => Selection) => void;
  /** The domain of the open panel. */
  opened: string | null;
  /** Shows a domain beside the list, or opens its page if there is no room. */
  open: (name: string) => void;
  add: () => void;
  ask: (dialog: OpenDialog) => void;
  bulk: BulkChange;
}

export const ListContext = createContext<List | null>(null);

/** @throws {Error} Outside of the list. */
export function useList(): List {
  const list = use(ListContext);
  if (!list) throw new Error("Outside of the list.");
  return list;
}

/** Selected domains: a list, or every match, loaded or not. */
export type Selection = { all: true } | { all: false; ids: ReadonlySet<string> };

export const EMPTY_SELECTION: Selection = { all: false, ids: new Set() };

export function isSelected(selection: Selection, id: string): boolean {
  return selection.all || selection.ids.has(id);
}

/** Selects or deselects domains, unless every match is selected. */
export function toggleIds(selection: Selection, ids: readonly string[], on: boolean): Selection {
  if (selection.all) return selection;
  const set = new Set(ids);
  return { all: false, ids: on ? selection.ids.union(set) : selection.ids.difference(set) };
}

/** The yearly cost of selected domains, as `formatYearlyCosts` formats it. */
export function formatSelectionCost({ rows }: Listing, ids: ReadonlySet<string>): string {
  const sums = new Map<string | null, number>();
  for (const row of rows.values()) {
    if (!row.renewal || !ids.has(row.id)) continue;
    const { minor, currency, years } = row.renewal;
    sums.set(currency, (sums.get(currency) ?? 0) + minor / (years ?? 1));
  }
  return formatYearlyCosts([...sums].map(([currency, minor]) => ({ currency, minor })));
}

/** Formats yearly costs: ` · €812.00 + $40.00/year`; empty without any. */
export function formatYearlyCosts(
  costs: readonly { currency: string | null; minor: number }[],
): string {
  const sums = costs.map(({ currency, minor }) => formatAmount(Math.round(minor), currency));
  return sums.length === 0 ? "" : ` · ${sums.join(" + ")}/year`;
}

/** Up to this width the head has no room for Import. */
export const PHONE = "(max-width: 40rem)";

/** Up to this width the actions for selected domains are one menu. */
export const NARROW = "(max-width: 56rem)";

/** From this width on, the panel has room beside the list. */
export const ROOM_FOR_PANEL = "(min-width: 1000px)";

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
