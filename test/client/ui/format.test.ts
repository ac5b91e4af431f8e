import { describe, expect, test } from "bun:test";
import { formatValue } from "../../../src/client/register/format-value.ts";
import { formatDays, formatShortDay } from "../../../src/client/ui/format.ts";

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
    [{ minor: 1301, currency: "EUR", years: null }, "€13.01"],
    [{ minor: 1301, currency: "JPY", years: 1 }, "¥1,301"],
    [{ minor: 1299, currency: "€", years: null }, "12.99 (no currency)"],
    [["web", "shop"], "web, shop"],
    [[], "none"],
    [{}, "none"],
    [{ Folder: "a", Cost: "5" }, "Folder: a, Cost: 5"],
  ])("says %p as %p", (value, words) => {
    expect(formatValue(value)).toBe(words);
  });
});

test("formatShortDay names the year only where it is another", () => {
  expect(formatShortDay("2026-11-23", "2026-01-01")).toBe("Nov 23");
  expect(formatShortDay("2027-01-04", "2026-12-31")).toBe("Jan 4, 2027");
});

test.each([
  [0, "today"],
  [1, "tomorrow"],
  [-1, "yesterday"],
  [-6, "6 days ago"],
  [364, "364 days"],
  [365, "1 year"],
  [693, "2 years"],
])("formatDays says %p as %p", (days, words) => {
  expect(formatDays(days)).toBe(words);
});
