import { useState } from "react";
import type { Domain } from "../../../shared/contract.ts";
import { type Listing, rowsBetween } from "./listing.ts";

/** A row to render, and its place in the whole list, from 0; undefined while it is on its way. */
interface ShownRow {
  index: number;
  domain: Domain | undefined;
}

/**
 * Rows `first` to `last`, and before or behind them the one that is held because it has the focus.
 * That one stays as it was last seen when the list lets go of it.
 */
export function useHeldRow(
  listing: Listing,
  first: number,
  last: number,
  held: number | null,
): ShownRow[] {
  const [kept, keep] = useState<ShownRow | null>(null);
  const rows = rowsBetween(listing, first, last).map((domain, at) => {
    const index = first + at;
    return { index, domain: domain ?? (kept?.index === index ? kept.domain : undefined) };
  });
  if (held === null) return rows;
  const [now] = rowsBetween(listing, held, held);
  const domain = now ?? (kept?.index === held ? kept.domain : undefined);
  if (domain && (kept?.index !== held || kept.domain !== domain)) keep({ index: held, domain });
  const row = { index: held, domain };
  return held < first ? [row, ...rows] : [...rows, row];
}
