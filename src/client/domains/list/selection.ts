import { formatAmount } from "../../ui/format.ts";
import type { Listing } from "../listing.ts";

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
