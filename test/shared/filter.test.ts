import { describe, expect, test } from "bun:test";
import {
  type FilterName,
  FILTERS,
  filterValueInWords,
  parseFilter,
  withPerson,
} from "../../src/shared/filter.ts";
import { formatTerm, parsePriceRange, parseTerm } from "../../src/shared/filter-term.ts";

describe("parseFilter", () => {
  test("takes texts and lists of texts, and refuses all else", () => {
    const { filter, problems } = parseFilter(
      Object.entries({ q: 1, tag: ["a", 2], tld: "de", owner: ["Ada", "Bob"], account: [] }),
    );
    expect(filter).toEqual({ tld: ["de"], owner: ["Ada", "Bob"] });
    expect(problems).toMatchObject([
      { pointer: "/q", code: "type" },
      { pointer: "/tag", code: "type" },
    ]);
  });

  test("takes at most fifty values", () => {
    const owner = Array.from({ length: 51 }, (_, index) => `owner ${index}`);
    expect(parseFilter([["owner", owner]]).problems).toMatchObject([{ code: "repeated" }]);
    expect(parseFilter([["owner", owner.slice(1)]]).filter.owner).toHaveLength(50);
  });

  test("takes at most ten values of custom fields", () => {
    const fields = Array.from({ length: 11 }, (_, index) => [`custom.${index}`, "x"] as const);
    expect(parseFilter(fields).problems).toMatchObject([{ pointer: "/custom.10", code: "length" }]);
    expect(parseFilter(fields.slice(1)).problems).toEqual([]);
    const values = fields.map(([name]) => `~${name}`);
    expect(parseFilter([["custom.contract", values]]).problems).toMatchObject([{ code: "length" }]);
  });

  test("takes every word of every choice", () => {
    for (const [name, spec] of Object.entries(FILTERS)) {
      if (!("choices" in spec)) continue;
      for (const word of Object.keys(spec.choices)) {
        expect(parseFilter([[name, word]]).problems).toEqual([]);
      }
    }
  });
});

describe("parseTerm", () => {
  test.each([
    ["GoDaddy", false, "is", "GoDaddy"],
    ["!GoDaddy", true, "is", "GoDaddy"],
    ["~gan", false, "contains", "gan"],
    ["!~gan", true, "contains", "gan"],
    ["-", false, "none", ""],
    ["!-", true, "none", ""],
    ["=!Wow", false, "is", "!Wow"],
    ["!=-", true, "is", "-"],
    ["=~", false, "is", "~"],
  ] as const)("takes %j apart, and formatTerm puts it together", (value, not, match, text) => {
    expect(parseTerm(value)).toEqual({ not, match, text });
    expect(formatTerm({ not, match, text })).toBe(value);
  });
});

test("withPerson knows `me` in each way that a term may be written", () => {
  const person = ["me", "!me", "=me", "!=me", "-", "!-"];
  expect(withPerson({ person }, "0199-ada")).toEqual({
    person: ["0199-ada", "!0199-ada", "0199-ada", "!0199-ada", "-", "!-"],
  });
});

describe("filterValueInWords", () => {
  test.each([
    ["q", "!~x", "!~x"],
    ["registrar", "GoDaddy", "GoDaddy"],
    ["registrar", "!-", "Any"],
    ["registrar", "!GoDaddy", "Not GoDaddy"],
    ["registrar", "=-", "-"],
    ["owner", "constructor", "constructor"],
    ["owner", "!toString", "Not toString"],
    ["tag", "!~shop", "Doesn’t contain “shop”"],
    ["decision", "-", "Undecided"],
    ["decision", "!drop", "Not dropped"],
    ["decision", "!keep", "Not keep"],
    ["expires", "next-30", "Next 30 days"],
    ["expires", "next-45", "Next 45 days"],
    ["price", "10..50", "10–50"],
    ["price", "10..", "10 or more"],
    ["price", "..50", "Up to 50"],
    ["work", "switch-off", "Turn off auto-renew"],
  ] satisfies [FilterName, string, string][])("reads %s=%s as %j", (name, value, words) => {
    expect(filterValueInWords(name, value)).toBe(words);
  });
});

describe("parsePriceRange", () => {
  test("reads bounds with decimals, and nothing without one", () => {
    expect(parsePriceRange("9.5..10.25")).toEqual({ from: 9.5, to: 10.25 });
    expect(parsePriceRange("..0")).toEqual({ from: null, to: 0 });
    for (const text of ["..", "1...2", "a..b", "-1..2", "1..2..3", "5"]) {
      expect(parsePriceRange(text)).toBeNull();
    }
  });
});
