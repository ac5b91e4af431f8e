import { describe, expect, test } from "bun:test";
import { formatValue } from "../../../src/client/ui/format.ts";

describe("formatValue", () => {
  test.each([
    [null, "unknown"],
    ["", "unknown"],
    [true, "on"],
    [false, "off"],
    ["Gandi", "Gandi"],
    ["2027-01-05", "January 5, 2027"],
    ["2027-13-05", "2027-13-05"],
    [{ date: "2027-01-05", source: "GoDaddy", conflict: false }, "January 5, 2027"],
    [{ minor: 1899, currency: "USD", years: 1 }, "$18.99"],
    [{ minor: 1899, currency: null, years: 2 }, "18.99 for 2 years (no currency)"],
    [["web", "shop"], "web, shop"],
    [[], "none"],
    [{}, "none"],
    [{ Folder: "a", Cost: "5" }, "Folder: a, Cost: 5"],
  ])("says %p as %p", (value, words) => {
    expect(formatValue(value)).toBe(words);
  });
});
