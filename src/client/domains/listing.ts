import type { Domain, DomainPage } from "../../shared/domain.ts";
import { onPersonChange } from "../session/session-store.ts";
import { createStore } from "../ui/store.ts";

/** The listing shown last, for the way back to the list and for a domain's neighbours. */
export const shownListing = createStore<Listing | undefined>(undefined);

onPersonChange(() => shownListing.set(undefined));

export interface ListingRow {
  id: string;
  unicode: string;
  /** Its own, else its registrar's. */
  price: Domain["renewal"];
  /** Null once evicted; what a selection and the widths of columns need stays. */
  domain: Domain | null;
}

/** The loaded rows of a view. Its memory does not grow with the matches. */
export interface Listing {
  view: string;
  /** Matches on the server. */
  total: number;
  rows: ReadonlyMap<number, ListingRow>;
}

/** Rows of one request. Pages start at multiples of it. */
export const LIST_PAGE_SIZE = 100;

/** Rows kept on either side of the visible range. */
const MAX_ROWS_AROUND = 1500;

export function toRow(domain: Domain): ListingRow {
  return {
    id: domain.id,
    unicode: domain.unicode,
    price: domain.renewal ?? domain.listPrice,
    domain,
  };
}

/**
 * Puts a page into a listing. If the view or the number of matches has changed, other rows may have
 * moved and are dropped. So is an old row of a domain that has moved here.
 */
export function putPage(
  listing: Listing | undefined,
  view: string,
  offset: number,
  { items, total }: DomainPage,
): Listing {
  const same = listing?.view === view && listing.total === total;
  const ids = new Set(items.map(({ id }) => id));
  const rows = new Map([...(same ? listing.rows : [])].filter(([, row]) => !ids.has(row.id)));
  for (const [at, domain] of items.entries())
    if (offset + at < total) rows.set(offset + at, toRow(domain));
  return { view, total, rows };
}

export function addRows(listing: Listing, rows: ReadonlyMap<number, ListingRow>): Listing {
  return { ...listing, rows: new Map([...rows, ...listing.rows]) };
}

/** The domain of a row, undefined if it is not loaded. */
export function domainAt({ rows }: Listing, at: number): Domain | undefined {
  return rows.get(at)?.domain ?? undefined;
}

/** The ids of loaded rows from `first` to `last`. */
export function idsBetween({ rows }: Listing, first: number, last: number): string[] {
  return indexesBetween(first, last).flatMap((at) => rows.get(at)?.id ?? []);
}

export function indexesBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at);
}

export function findDomains(listing: Listing | undefined, ids: readonly string[]): Domain[] {
  const wanted = new Set(ids);
  return [...(listing?.rows.values() ?? [])].flatMap(({ id, domain }) =>
    domain && wanted.has(id) ? domain : [],
  );
}

/** The index of a domain by name; -1 if its row is not loaded. */
export function findRow({ rows }: Listing, name: string): number {
  for (const [at, { domain }] of rows) if (domain?.name === name) return at;
  return -1;
}

/**
 * The offset of the next request for rows `first` to `last`; null if nothing is missing. It is the
 * start of a page, unless the server has answered with a shorter one.
 */
export function findMissingPage(
  listing: Listing | undefined,
  first: number,
  last: number,
): number | null {
  if (!listing) return first - (first % LIST_PAGE_SIZE);
  const { total, rows } = listing;
  for (let at = Math.max(first, 0); at <= last && at < total; at += 1) {
    const start = at - (at % LIST_PAGE_SIZE);
    if (!rows.get(at)?.domain) return rows.get(start)?.domain ? at : start;
  }
  return null;
}

/** Evicts rows far from the visible range, to bound the memory. */
export function evictRows(listing: Listing, first: number, last: number): Listing {
  const isNear = (at: number) => at >= first - MAX_ROWS_AROUND && at <= last + MAX_ROWS_AROUND;
  return mapRows(listing, (row, at) =>
    row.domain && !isNear(at) ? { ...row, domain: null } : row,
  );
}

export function putRow(listing: Listing, domain: Domain): Listing {
  return mapRows(listing, (row) => (row.id === domain.id ? toRow(domain) : row));
}

function mapRows(listing: Listing, change: (row: ListingRow, at: number) => ListingRow): Listing {
  return { ...listing, rows: new Map([...listing.rows].map(([at, row]) => [at, change(row, at)])) };
}

/** Removes a domain: rows below move up. */
export function removeRow(listing: Listing, id: string): Listing {
  const [gone] = [...listing.rows].find(([, row]) => row.id === id) ?? [];
  if (gone === undefined) return listing;
  const others = [...listing.rows].filter(([at]) => at !== gone);
  const rows = new Map(others.map(([at, row]) => [at > gone ? at - 1 : at, row]));
  return { ...listing, total: listing.total - 1, rows };
}
