import type { Domain, DomainPage } from "../../../shared/domain.ts";

/** A page of the list. Its rows may have been evicted; the ids stay, so that it can be selected. */
interface Page {
  /** The cursor that the page was requested with; null for the first. */
  after: string | null;
  ids: readonly string[];
  rows: readonly Domain[] | null;
}

/**
 * The loaded part of a view: pages from the first row on. Keyset cursors only lead forward, so a row
 * far down is reached through all pages before it; of those only ids and cursors are kept.
 */
export interface Listing {
  /** The view, as `formatView` writes it. */
  view: string;
  /** Matching domains on the server. */
  total: number;
  pages: readonly Page[];
  /** The cursor of the next page; null at the end. */
  next: string | null;
}

/** Rows kept on either side of the visible range. */
const MAX_ROWS_AROUND = 1500;

export function startListing(view: string, page: DomainPage): Listing {
  return addPage({ view, total: 0, pages: [], next: null }, page);
}

/** How many rows the list has; the server counts those not loaded yet. */
export function countRows(listing: Listing): number {
  const loaded = countLoaded(listing);
  return listing.next === null ? loaded : Math.max(loaded, listing.total);
}

/** How many rows have been loaded, evicted ones included. */
export function countLoaded({ pages }: Listing): number {
  return pages.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** Rows `first` to `last`, undefined where they are not loaded. */
export function rowsBetween(listing: Listing, first: number, last: number): (Domain | undefined)[] {
  const found: (Domain | undefined)[] = [];
  let offset = 0;
  for (const { ids, rows } of listing.pages) {
    const start = Math.max(first - offset, 0);
    const end = Math.min(last + 1 - offset, ids.length);
    for (let at = start; at < end; at += 1) found.push(rows?.[at]);
    offset += ids.length;
  }
  while (found.length < last + 1 - first) found.push(undefined);
  return found;
}

/** The ids of rows `first` to `last`, as far as they are loaded. */
export function idsBetween({ pages }: Listing, first: number, last: number): string[] {
  return pages.flatMap(({ ids }) => ids).slice(first, last + 1);
}

/**
 * Finds the page to request so that rows `first` to `last` are loaded: `index` is an evicted page,
 * or one past the last page. Null if nothing is missing.
 */
export function findMissingPage(
  { pages, next }: Listing,
  first: number,
  last: number,
): { index: number; after: string | null } | null {
  let offset = 0;
  for (const [index, { ids, rows, after }] of pages.entries()) {
    if (rows === null && offset <= last && offset + ids.length > first) return { index, after };
    offset += ids.length;
  }
  return next !== null && offset <= last ? { index: pages.length, after: next } : null;
}

/** Appends a page, without rows that moved into it from further up. */
export function addPage(listing: Listing, { items, next, total }: DomainPage): Listing {
  const known = new Set(listing.pages.flatMap(({ ids }) => ids));
  const rows = items.filter(({ id }) => !known.has(id));
  const page = { after: listing.next, ids: rows.map(({ id }) => id), rows };
  return { ...listing, total, next, pages: [...listing.pages, page] };
}

/** Puts the rows of an evicted page back. Rows that moved to other pages are left out. */
export function refillPage(listing: Listing, index: number, { items, total }: DomainPage): Listing {
  const elsewhere = new Set(listing.pages.flatMap(({ ids }, at) => (at === index ? [] : ids)));
  const rows = items.filter(({ id }) => !elsewhere.has(id));
  const pages = listing.pages.map((page, at) =>
    at === index ? { ...page, ids: rows.map(({ id }) => id), rows } : page,
  );
  return { ...listing, total, pages };
}

/** Evicts rows far from the visible range, so that memory does not grow with the list. */
export function evictRows(listing: Listing, first: number, last: number): Listing {
  let offset = 0;
  const pages = listing.pages.map((page) => {
    const start = offset;
    offset += page.ids.length;
    const near = start <= last + MAX_ROWS_AROUND && offset >= first - MAX_ROWS_AROUND;
    return near || page.rows === null ? page : { ...page, rows: null };
  });
  return { ...listing, pages };
}

/** Replaces the row of a saved domain; a domain that is not in the list becomes the first row. */
export function putRow(listing: Listing, domain: Domain): Listing {
  const { pages, total } = listing;
  if (pages.some(({ ids }) => ids.includes(domain.id))) {
    const put = (row: Domain) => (row.id === domain.id ? domain : row);
    return {
      ...listing,
      pages: pages.map((page) => ({ ...page, rows: page.rows?.map(put) ?? null })),
    };
  }
  // Names are unique: a row of this name with another id was deleted and has been added again.
  const former = pages.flatMap(({ rows }) => rows ?? []).find(({ name }) => name === domain.name);
  if (former) return putRow(removeRow(listing, former.id), domain);
  const first = { after: null, ids: [domain.id], rows: [domain] };
  return { ...listing, total: total + 1, pages: [first, ...pages] };
}

export function removeRow(listing: Listing, id: string): Listing {
  const pages = listing.pages.map((page) => ({
    ...page,
    ids: page.ids.filter((each) => each !== id),
    rows: page.rows?.filter((row) => row.id !== id) ?? null,
  }));
  const removed = countLoaded(listing) - countLoaded({ ...listing, pages });
  return { ...listing, total: listing.total - removed, pages };
}
