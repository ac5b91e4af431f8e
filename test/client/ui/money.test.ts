import { describe, expect, test } from "bun:test";
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
