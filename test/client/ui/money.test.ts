import { describe, expect, test } from "bun:test";
import { formatRenewal } from "../../../src/client/ui/format.ts";
import { formatPrice, parsePrice } from "../../../src/client/ui/money.ts";

describe("parsePrice", () => {
  test.each([
    ["12", "EUR", 1200],
    ["12.5", "EUR", 1250],
    ["12,50", "EUR", 1250],
    [" 0.99 ", "USD", 99],
    ["1301", "JPY", 1301],
    ["1.234", "KWD", 1234],
    ["7.10", null, 710],
  ])("reads %p in %p", (text, currency, minor) => {
    expect(parsePrice(text, currency)).toBe(minor);
  });

  test.each([
    ["12.505", "EUR"],
    ["13.5", "JPY"],
    ["1,018.99", "USD"],
    ["-3", "EUR"],
    ["€3", "EUR"],
    ["", "EUR"],
    ["1e3", "EUR"],
    ["9999999999999", "EUR"],
  ])("refuses %p in %p", (text, currency) => {
    expect(parsePrice(text, currency)).toBeNull();
  });
});

describe("formatPrice", () => {
  test("is what parsePrice reads, in any currency", () => {
    for (const currency of ["EUR", "JPY", "KWD", null]) {
      for (const minor of [0, 1, 99, 1301, 123_456_789]) {
        const text = formatPrice({ minor, currency });
        expect(parsePrice(text, currency)).toBe(minor);
      }
    }
  });
});

describe("formatRenewal", () => {
  test("writes the digits that the currency has", () => {
    expect(formatRenewal({ minor: 1301, currency: "JPY", years: 1 })).toContain("1,301");
    expect(formatRenewal({ minor: 1301, currency: "EUR", years: null })).toContain("13.01");
  });

  test("says for how many years", () => {
    expect(formatRenewal({ minor: 100, currency: "EUR", years: 2 })).toEndWith(" for 2 years");
  });

  test("says that the currency is missing instead of inventing one", () => {
    for (const currency of [null, "€", "12"]) {
      expect(formatRenewal({ minor: 1299, currency, years: null })).toBe("12.99 (no currency)");
    }
  });
});
