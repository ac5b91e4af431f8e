import type { Domain, DomainPage } from "../../shared/domain.ts";
import { onPersonChange } from "../session/session-store.ts";

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

/** The rows of a view that have been loaded. What they cost does not grow with the matches. */
export interface Listing {
  /** The view, as `formatView` writes it. */
  view: string;
  /** How many domains match on the server. */
  total: number;
  /** By index. */
  rows: ReadonlyMap<number, Row>;
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
  const same = listing?.view === view && listing.total === total;
  const ids = new Set(items.map(({ id }) => id));
  const rows = new Map([...(same ? listing.rows : [])].filter(([, row]) => !ids.has(row.id)));
  for (const [at, domain] of items.entries())
    if (offset + at < total) rows.set(offset + at, toRow(domain));
  return { view, total, rows };
}

/** Rows `first` to `last`, undefined where they are not loaded. */
export function rowsBetween({ rows }: Listing, first: number, last: number) {
  return indexesBetween(first, last).map((at) => rows.get(at)?.domain ?? undefined);
}

/** The ids of rows `first` to `last`, as far as they have been loaded. */
export function idsBetween({ rows }: Listing, first: number, last: number): string[] {
  return indexesBetween(first, last).flatMap((at) => rows.get(at)?.id ?? []);
}

function indexesBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at);
}

/** The domains with these ids, as far as they are loaded. */
export function findDomains(listing: Listing | undefined, ids: readonly string[]): Domain[] {
  const wanted = new Set(ids);
  return [...(listing?.rows.values() ?? [])].flatMap(({ id, domain }) =>
    domain && wanted.has(id) ? domain : [],
  );
}

/** The index of the domain of this name; -1 if its row is not loaded. */
export function findRow({ rows }: Listing, name: string): number {
  for (const [at, { domain }] of rows) if (domain?.name === name) return at;
  return -1;
}

/**
 * The offset from which to request what rows `first` to `last` lack; null if nothing is missing. It
 * is the start of a page, unless the server has answered with a shorter one.
 */
export function findMissingPage(listing: Listing, first: number, last: number): number | null {
  const { total, rows } = listing;
  for (let at = Math.max(first, 0); at <= last && at < total; at += 1) {
    const start = at - (at % PAGE_SIZE);
    if (!rows.get(at)?.domain) return rows.get(start)?.domain ? at : start;
  }
  return null;
}

/** Evicts rows far from the visible range, so that memory does not grow with the list. */
export function evictRows(listing: Listing, first: number, last: number): Listing {
  const near = (at: number) => at >= first - MAX_ROWS_AROUND && at <= last + MAX_ROWS_AROUND;
  const evict = (row: Row, at: number) => (near(at) ? row : { ...row, domain: null });
  return mapRows(listing, (row, at) => (row.domain ? evict(row, at) : row));
}

/** Replaces the row of a saved domain, in its place. */
export function putRow(listing: Listing, domain: Domain): Listing {
  return mapRows(listing, (row) => (row.id === domain.id ? toRow(domain) : row));
}

function mapRows(listing: Listing, change: (row: Row, at: number) => Row): Listing {
  return { ...listing, rows: new Map([...listing.rows].map(([at, row]) => [at, change(row, at)])) };
}

/** Takes a domain out: those below move up. */
export function removeRow(listing: Listing, id: string): Listing {
  const [gone] = [...listing.rows].find(([, row]) => row.id === id) ?? [];
  if (gone === undefined) return listing;
  const others = [...listing.rows].filter(([at]) => at !== gone);
  const rows = new Map(others.map(([at, row]) => [at > gone ? at - 1 : at, row]));
  return { ...listing, total: listing.total - 1, rows };
}
