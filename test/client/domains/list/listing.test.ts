import { describe, expect, test } from "bun:test";
import {
  addPage,
  countRows,
  findMissingPage,
  idsBetween,
  evictRows,
  type Listing,
  putRow,
  refillPage,
  removeRow,
  rowsBetween,
  startListing,
} from "../../../../src/client/domains/list/listing.ts";
import { domainOf } from "../../../support/fake-api.ts";

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => domainOf(`name-${from + at}.example`));
const page = (from: number, to: number, total: number) => ({
  items: rows(from, to),
  next: to < total ? `after ${to}` : null,
  total,
});
const shown = (listing: Listing, first: number, last: number) =>
  rowsBetween(listing, first, last).map((row) => row?.name ?? null);
const name = (at: number) => `name-${at}.example`;

/** A list of 10,000 of which the first `to` were scrolled through, 200 at a time. */
function scrolled(to: number): Listing {
  let listing = startListing("q=x", page(0, 200, 10_000));
  for (let from = 200; from < to; from += 200) {
    listing = addPage(listing, page(from, from + 200, 10_000));
  }
  return listing;
}

describe("countRows", () => {
  test("counts with the server until the end is seen", () => {
    const listing = startListing("", page(0, 2, 5));
    expect(countRows(listing)).toBe(5);
    expect(countRows(addPage(listing, { items: rows(2, 4), next: null, total: 5 }))).toBe(4);
  });
});

describe("rowsBetween", () => {
  test("crosses pages, and leaves open what is not there", () => {
    const listing = addPage(startListing("", page(0, 2, 9)), page(2, 4, 9));
    expect(shown(listing, 1, 5)).toEqual([name(1), name(2), name(3), null, null]);
  });
});

describe("addPage", () => {
  test("leaves out rows that moved there from further up", () => {
    const listing = addPage(startListing("", page(0, 3, 5)), {
      items: rows(2, 5),
      next: null,
      total: 5,
    });
    expect(shown(listing, 0, 4)).toEqual([0, 1, 2, 3, 4].map(name));
  });
});

describe("findMissingPage", () => {
  test("returns null when every row is loaded", () => {
    expect(findMissingPage(scrolled(400), 0, 399)).toBeNull();
  });

  test("goes on at the end with its cursor", () => {
    expect(findMissingPage(scrolled(400), 390, 410)).toEqual({ index: 2, after: "after 400" });
  });

  test("finds the page whose rows were evicted, and the cursor that it came with", () => {
    const listing = evictRows(scrolled(4000), 3900, 3950);
    expect(findMissingPage(listing, 210, 230)).toEqual({ index: 1, after: "after 200" });
    expect(findMissingPage(listing, 3900, 3950)).toBeNull();
  });
});

describe("evictRows", () => {
  test("holds a bounded number of rows and every id", () => {
    const listing = evictRows(scrolled(10_000), 5000, 5040);
    const held = listing.pages.reduce((sum, each) => sum + (each.rows?.length ?? 0), 0);
    expect(held).toBeLessThan(3600);
    expect(shown(listing, 5000, 5001)).toEqual([name(5000), name(5001)]);
    expect(shown(listing, 0, 0)).toEqual([null]);
    expect(idsBetween(listing, 0, 9999)).toHaveLength(10_000);
  });
});

describe("refillPage", () => {
  test("puts rows back, without one that is elsewhere by now", () => {
    const gone = evictRows(scrolled(4000), 3900, 3950);
    const items = [...rows(200, 399), domainOf(name(3990))];
    const back = refillPage(gone, 1, { items, next: "after 400", total: 9999 });
    expect(shown(back, 200, 201)).toEqual([name(200), name(201)]);
    expect(idsBetween(back, 0, 9999)).toHaveLength(3999);
    expect(back.next).toBe("after 4000");
  });
});

describe("putRow", () => {
  test("shows what a name is now, in its place", () => {
    const listing = putRow(startListing("", page(0, 3, 3)), {
      ...domainOf(name(1)),
      registrar: "Gandi",
    });
    expect(rowsBetween(listing, 0, 2).map((row) => row?.registrar)).toEqual([null, "Gandi", null]);
    expect(listing.total).toBe(3);
  });

  test("puts a new name first", () => {
    const listing = putRow(startListing("", page(0, 2, 5)), domainOf("new.example"));
    expect(shown(listing, 0, 2)).toEqual(["new.example", name(0), name(1)]);
    expect(countRows(listing)).toBe(6);
  });
});

describe("removeRow", () => {
  test("takes a name out and counts one less", () => {
    const listing = removeRow(startListing("", page(0, 3, 5)), `id-${name(1)}`);
    expect(shown(listing, 0, 1)).toEqual([name(0), name(2)]);
    expect(countRows(listing)).toBe(4);
    expect(countRows(removeRow(listing, "nobody"))).toBe(4);
  });
});
