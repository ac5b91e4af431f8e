import { describe, expect, test } from "bun:test";
import {
  domainAt,
  evictRows,
  idsBetween,
  indexesBetween,
  type Listing,
  putPage,
} from "../../../src/client/domains/listing.ts";
import { toggleIds } from "../../../src/client/domains/list/selection.ts";
import { domainOf } from "../../support/fake-api.ts";

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => domainOf(`name-${from + at}.example`));
const page = (from: number, to: number, total: number) => ({
  items: rows(from, to),
  next: null,
  total,
});
const shown = (listing: Listing, first: number, last: number) =>
  indexesBetween(first, last).map((at) => domainAt(listing, at)?.name ?? null);
const name = (at: number) => `name-${at}.example`;

/** A list of 10,000 of which the first `to` were scrolled through. */
function scrolled(to: number): Listing {
  let listing = putPage(undefined, "q=x", 0, page(0, 100, 10_000));
  for (let from = 100; from < to; from += 100) {
    listing = putPage(listing, "q=x", from, page(from, from + 100, 10_000));
  }
  return listing;
}

describe("putPage", () => {
  test("drops the other rows where the view or the number of matches is another", () => {
    const listing = putPage(undefined, "", 0, page(0, 3, 5));
    const only = [null, null, null, name(3)];
    expect(shown(putPage(listing, "", 3, page(3, 4, 4)), 0, 3)).toEqual(only);
    expect(shown(putPage(listing, "q=x", 3, page(3, 5, 5)), 0, 3)).toEqual(only);
  });
});

describe("evictRows", () => {
  test("holds a bounded number of rows and every id", () => {
    const listing = evictRows(scrolled(10_000), 5000, 5040);
    expect([...listing.rows.values()].filter((row) => row.domain).length).toBeLessThan(3600);
    expect(shown(listing, 5000, 5001)).toEqual([name(5000), name(5001)]);
    expect(shown(listing, 0, 0)).toEqual([null]);
    expect(idsBetween(listing, 0, 9999)).toHaveLength(10_000);
  });
});

test("toggleIds leaves all that match as they are", () => {
  expect(toggleIds(null, ["a"], false)).toBeNull();
});
