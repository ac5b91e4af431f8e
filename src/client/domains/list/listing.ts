import type { Domain, DomainPage } from "../../../shared/domain.ts";
import { onPersonChange } from "../../session/session-store.ts";

/** The listing shown last: returning to the list shows its rows at once, a domain its neighbours. */
let shownLast: Listing | undefined;

onPersonChange(() => {
  shownLast = undefined;
});

export function rememberListing(listing: Listing): void {
  shownLast = listing;
}

export function recallListing(): Listing | undefined {
  return shownLast;
}

interface Row {
  id: string;
  /** What it costs to renew, as far as that is known. */
  renewal: Domain["renewal"];
  /** Null once it is evicted; what a selection needs stays. */
  domain: Domain | null;
}

/** The rows of a view that have been loaded, each at its index; undefined where none has been. */
export interface Listing {
  /** The view, as `formatView` writes it. */
  view: string;
  /** As long as there are matches on the server. */
  rows: readonly (Row | undefined)[];
}

/** Rows of one request. Pages start at multiples of it. */
export const PAGE_SIZE = 100;

/** Rows kept on either side of the visible range. */
const MAX_ROWS_AROUND = 1500;

function toRow(domain: Domain): Row {
  return { id: domain.id, renewal: domain.renewal ?? domain.listPrice, domain };
}

/**
 * Puts the page at `offset` into a listing. Where the view or the number of matches has changed, the
 * other rows may have moved: they are dropped, to be loaded again. So is a row that has moved here:
 * no domain is in the list twice.
 */
export function putPage(
  listing: Listing | undefined,
  view: string,
  offset: number,
  { items, total }: DomainPage,
): Listing {
  const same = listing?.view === view && listing.rows.length === total;
  const ids = new Set(items.map(({ id }) => id));
  const rows = same
    ? listing.rows.map((row) => (row && ids.has(row.id) ? undefined : row))
    : Array.from<undefined>({ length: total });
  return { view, rows: rows.toSpliced(offset, items.length, ...items.map(toRow)).slice(0, total) };
}

/** Rows `first` to `last`, undefined where they are not loaded. */
export function rowsBetween({ rows }: Listing, first: number, last: number) {
  return rows.slice(first, last + 1).map((row) => row?.domain ?? undefined);
}

/** The ids of rows `first` to `last`, as far as they have been loaded. */
export function idsBetween({ rows }: Listing, first: number, last: number): string[] {
  return rows.slice(first, last + 1).flatMap((row) => row?.id ?? []);
}

/** The domains with these ids, as far as they are loaded. */
export function findDomains(listing: Listing | undefined, ids: readonly string[]): Domain[] {
  const wanted = new Set(ids);
  return (listing?.rows ?? []).flatMap((row) =>
    row?.domain && wanted.has(row.id) ? row.domain : [],
  );
}

/** The index of the domain of this name; -1 if its row is not loaded. */
export function findRow({ rows }: Listing, name: string): number {
  return rows.findIndex((row) => row?.domain?.name === name);
}

/**
 * The offset from which to request what rows `first` to `last` lack; null if nothing is missing. It
 * is the start of a page, unless the server has answered with a shorter one.
 */
export function findMissingPage({ rows }: Listing, first: number, last: number): number | null {
  for (let at = Math.max(first, 0); at <= last && at < rows.length; at += 1) {
    const start = at - (at % PAGE_SIZE);
    if (!rows[at]?.domain) return rows[start]?.domain ? at : start;
  }
  return null;
}

/** Evicts rows far from the visible range, so that memory does not grow with the list. */
export function evictRows(listing: Listing, first: number, last: number): Listing {
  const near = (at: number) => at >= first - MAX_ROWS_AROUND && at <= last + MAX_ROWS_AROUND;
  const rows = listing.rows.map((row, at) =>
    row?.domain && !near(at) ? { ...row, domain: null } : row,
  );
  return { ...listing, rows };
}

/** Replaces the row of a saved domain, in its place. */
export function putRow(listing: Listing, domain: Domain): Listing {
  return {
    ...listing,
    rows: listing.rows.map((row) => (row?.id === domain.id ? toRow(domain) : row)),
  };
}

export function removeRow(listing: Listing, id: string): Listing {
  return { ...listing, rows: listing.rows.filter((row) => row?.id !== id) };
}
