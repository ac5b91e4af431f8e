import { describe, expect, test } from "bun:test";
import {
  DEFAULT_SORT,
  formatSort,
  formatView,
  parseSort,
  parseView,
} from "../../src/shared/view.ts";

const read = (query: string) => parseView(new URLSearchParams(query));

describe("parseView", () => {
  test("reads filters and sort, a search of up to 260 characters", () => {
    expect(read(`q=${"x".repeat(260)}`).problems).toEqual([]);
    const { view, problems } = read("q=shop&tag=a&tag=!~b&expiresFrom=2027-01-31&sort=-owner");
    expect(view.filter).toEqual({ q: "shop", tag: ["a", "!~b"], expiresFrom: "2027-01-31" });
    const [owner, name] = view.sort;
    expect([owner, name]).toMatchObject([{ field: "owner", descending: true }, { field: "name" }]);
    expect(problems).toEqual([]);
  });

  test("keeps the good ones of several values", () => {
    const { view, problems } = read("decision=keep&decision=sell&decision=!drop&decision=keep");
    expect(view.filter).toEqual({ decision: ["keep", "!drop"] });
    expect(problems).toMatchObject([{ pointer: "/decision", code: "value" }]);
  });

  test("takes an empty parameter for none", () => {
    const view = { filter: {}, sort: DEFAULT_SORT };
    expect(read("q=&decision=&sort=")).toEqual({ view, problems: [] });
  });

  test.each([
    ["decision=zzz", "/decision", "value"],
    ["decision=toString", "/decision", "value"],
    ["decision=~kee", "/decision", "value"],
    ["work=later", "/work", "value"],
    ["expires=next-0", "/expires", "value"],
    ["expires=next-10000", "/expires", "value"],
    ["price=..", "/price", "value"],
    ["currency=eur", "/currency", "value"],
    ["tld=-", "/tld", "value"],
    ["import=%20", "/import", "value"],
    ["import=a&import=b", "/import", "repeated"],
    ["expiresFrom=2027-02-30", "/expiresFrom", "value"],
    ["registrar=%20%20", "/registrar", "value"],
    ["q=a%00b", "/q", "value"],
    [`q=${"x".repeat(261)}`, "/q", "value"],
    ["colour=red", "/colour", "unknown"],
    ["custom.=x", "/custom.", "unknown"],
    [`custom.${"x".repeat(61)}=y`, `/custom.${"x".repeat(61)}`, "unknown"],
    ["custom.a=%20", "/custom.a", "value"],
    ["a%2Fb=1", "/a~1b", "unknown"],
    ["q=a&q=b", "/q", "repeated"],
    ["sort=colour", "/sort", "value"],
    ["sort=name,-name", "/sort", "value"],
    ["sort=renewal", "/sort", "value"],
  ])("leaves out %s and reports it", (query, pointer, code) => {
    const { view, problems } = read(`tag=kept&${query}`);
    expect(problems).toMatchObject([{ pointer, code }]);
    expect(view.filter).toEqual({ tag: ["kept"] });
    expect(view.sort).toEqual(DEFAULT_SORT);
  });

  test("leaves parameters alone that are read elsewhere", () => {
    expect(parseView(new URLSearchParams("limit=5"), ["limit"]).problems).toEqual([]);
  });
});

describe("formatView", () => {
  test.each([
    "",
    "q=a%26b",
    "tag=x&tag=%21-&expiresBefore=2027-01-01&sort=-expires",
    "work=any&expires=next-45&expires=none&price=10..50&currency=EUR&import=0-1",
    "tag=x&custom.Vertrag=90207451&custom.a%26b%3D%2C+%22%C3%84%22=%7Ey&custom.a%26b%3D%2C+%22%C3%84%22=%21-",
    "sort=name",
    "sort=-name",
    "sort=tld%2C-decision%2C-name",
  ])("writes %p as it was read", (query) => {
    expect(String(formatView(read(query).view))).toBe(query);
  });

  test("leaves out the sort that goes without saying", () => {
    expect(String(formatView(read("sort=expires,name").view))).toBe("");
  });
});

describe("parseSort", () => {
  test("lets the name decide ties, once", () => {
    for (const text of ["owner", "-owner,name", "owner,-name", "name", "-name,owner"]) {
      const sort = parseSort(text) ?? [];
      expect(sort.filter(({ field }) => field === "name")).toHaveLength(1);
      expect(parseSort(formatSort(sort))).toEqual(sort);
    }
  });
});
