import type { Domain, DomainPage } from "../../../shared/contract.ts";

/** A stretch of the list. Its rows may have been let go; the ids stay, so that it can be selected. */
interface Stretch {
  /** The cursor that it was asked for with. */
  after: string | null;
  ids: readonly string[];
  rows: readonly Domain[] | null;
}

/**
 * What is known of the names that answer a query: stretches from the first row on, as far as
 * somebody scrolled. Keyset cursors lead only forward, so a row far down is reached by way of those
 * before it; of these only the ids and cursors are kept.
 */
export interface Listing {
  query: string;
  total: number;
  stretches: readonly Stretch[];
  /** The cursor of what comes after; null at the end. */
  next: string | null;
}

/** Rows on either side of those looked at that are kept. */
const KEPT = 1500;

/** A list of which only the first page is known. */
export function startListing(query: string, page: DomainPage): Listing {
  return addPage({ query, total: 0, stretches: [], next: null }, page);
}

/** How many rows the list has, as far as is known; those to come are counted by the server. */
export function countRows(listing: Listing): number {
  const known = countKnown(listing);
  return listing.next === null ? known : Math.max(known, listing.total);
}

/** How many rows from the first on have been seen. */
export function countKnown({ stretches }: Listing): number {
  return stretches.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** Rows `first` to `last`, undefined where they are not there. */
export function rowsBetween(listing: Listing, first: number, last: number) {
  const rows: (Domain | undefined)[] = [];
  let from = 0;
  for (const { ids, rows: held } of listing.stretches) {
    const [start, end] = [Math.max(first - from, 0), Math.min(last + 1 - from, ids.length)];
    for (let at = start; at < end; at += 1) rows.push(held?.[at]);
    from += ids.length;
  }
  while (rows.length < last + 1 - first) rows.push(undefined);
  return rows;
}

/** The ids of rows `first` to `last`, as far as they are known. */
export function idsBetween({ stretches }: Listing, first: number, last: number): string[] {
  return stretches.flatMap(({ ids }) => ids).slice(first, last + 1);
}

/** What to ask for next so that rows `first` to `last` are there: `at` is a stretch, or the end. */
export function findGap(listing: Listing, first: number, last: number) {
  let from = 0;
  for (const [at, { ids, rows, after }] of listing.stretches.entries()) {
    if (rows === null && from <= last && from + ids.length > first) return { at, after };
    from += ids.length;
  }
  const { next, stretches } = listing;
  return next !== null && from <= last ? { at: stretches.length, after: next } : null;
}

/** Adds the page after the last, without rows that moved into it from further up. */
export function addPage(listing: Listing, { items, next, total }: DomainPage): Listing {
  const known = new Set(listing.stretches.flatMap(({ ids }) => ids));
  const rows = items.filter(({ id }) => !known.has(id));
  const stretch = { after: listing.next, ids: rows.map(({ id }) => id), rows };
  return { ...listing, total, next, stretches: [...listing.stretches, stretch] };
}

/** Puts rows back that were let go: those of the stretch that are still there. */
export function refill(listing: Listing, at: number, { items, total }: DomainPage): Listing {
  const elsewhere = new Set(
    listing.stretches.flatMap(({ ids }, index) => (index === at ? [] : ids)),
  );
  const rows = items.filter(({ id }) => !elsewhere.has(id));
  const stretches = listing.stretches.map((stretch, index) =>
    index === at ? { ...stretch, ids: rows.map(({ id }) => id), rows } : stretch,
  );
  return { ...listing, total, stretches };
}

/** Lets go of rows far from those that are looked at: memory does not grow with the list. */
export function letGo(listing: Listing, first: number, last: number): Listing {
  let from = 0;
  const stretches = listing.stretches.map((stretch) => {
    const start = from;
    from += stretch.ids.length;
    const near = start <= last + KEPT && from >= first - KEPT;
    return near || stretch.rows === null ? stretch : { ...stretch, rows: null };
  });
  return { ...listing, stretches };
}

/** Shows what a name is now; one that was not in the list comes first. */
export function putRow(listing: Listing, domain: Domain): Listing {
  const { stretches, total } = listing;
  if (stretches.some(({ ids }) => ids.includes(domain.id))) {
    const put = (row: Domain) => (row.id === domain.id ? domain : row);
    const changed = stretches.map((each) => ({ ...each, rows: each.rows?.map(put) ?? null }));
    return { ...listing, stretches: changed };
  }
  // A name is in the register once: one with another id was deleted and has been added anew.
  const rows = stretches.flatMap((each) => each.rows ?? []);
  const former = rows.find(({ name }) => name === domain.name);
  if (former) return putRow(removeRow(listing, former.id), domain);
  const first = { after: null, ids: [domain.id], rows: [domain] };
  return { ...listing, total: total + 1, stretches: [first, ...stretches] };
}

/** Takes a name out of the list. */
export function removeRow(listing: Listing, id: string): Listing {
  const known = countKnown(listing);
  const stretches = listing.stretches.map((stretch) => ({
    ...stretch,
    ids: stretch.ids.filter((each) => each !== id),
    rows: stretch.rows?.filter((row) => row.id !== id) ?? null,
  }));
  const total = listing.total - known + countKnown({ ...listing, stretches });
  return { ...listing, total, stretches };
}
