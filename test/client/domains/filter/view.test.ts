import { describe, expect, test } from "bun:test";
import {
  exportPath,
  isNarrowed,
  parseView,
  viewToFilters,
  viewToQuery,
  viewToSearch,
} from "../../../../src/client/domains/filter/view.ts";

describe("parseView", () => {
  test("survives the way through the address", () => {
    for (const search of [
      "",
      "q=b%C3%BCcher",
      "q=a+%26+b&registrar=Gandi&tag=web&autoRenew=false",
      "expiresBefore=2027-01-21&sort=-registrar",
      "account=main&expiry=conflict&expiresFrom=2027-01-01",
    ]) {
      expect(viewToSearch(parseView(search))).toBe(search);
    }
  });

  test("leaves out what it does not know", () => {
    const view = parseView("add&after=x&limit=9999&sort=-shoe,name&tag=%20");
    expect(view).toEqual({ q: "", filters: {}, sort: "expires", descending: true });
  });
});

describe("viewToQuery", () => {
  test("always sorts, and by name where the rest is equal", () => {
    expect(viewToQuery(parseView(""))).toBe("sort=expires%2Cname");
    expect(viewToQuery(parseView("sort=-registrar"))).toBe("sort=-registrar%2Cname");
    expect(viewToQuery(parseView("sort=-name"))).toBe("sort=-name");
  });
});

describe("exportPath", () => {
  test("narrows as the view does, in whatever order that is", () => {
    expect(exportPath(parseView("q=a+b&tld=com&sort=-name"))).toBe(
      "/api/domains.csv?q=a+b&tld=com",
    );
  });
});

describe("viewToFilters", () => {
  test("holds what a bulk change is to be narrowed by", () => {
    const view = parseView("q=%20x%20&autoRenew=not-on&sort=name");
    expect(viewToFilters(view)).toEqual({ q: "x", autoRenew: "not-on" });
  });
});

describe("isNarrowed", () => {
  test("is about what is left out, not about the order", () => {
    expect(isNarrowed(parseView("sort=name"))).toBe(false);
    expect(isNarrowed(parseView("q=%20"))).toBe(false);
    expect(isNarrowed(parseView("q=a"))).toBe(true);
    expect(isNarrowed(parseView("tld=com"))).toBe(true);
  });
});
