import { describe, expect, test } from "bun:test";
import { addUp } from "../../src/shared/total.ts";

describe("addUp", () => {
  const settings = { currency: "EUR", rates: { USD: 0.9, JPY: 0.006 } };

  test("converts each currency, whatever its smallest unit", () => {
    const amounts = ["EUR", "USD", "JPY"].map((currency) => ({ minor: 1000, currency }));
    expect(addUp(amounts, settings)).toEqual({ minor: 2500, currency: "EUR", missing: [] });
  });

  test("names what has no rate, and needs a currency", () => {
    const amounts = ["GBP", null, "GBP"].map((currency) => ({ minor: 1000, currency }));
    expect(addUp(amounts, settings)).toEqual({ minor: 0, currency: "EUR", missing: ["GBP", null] });
    expect(addUp(amounts, { currency: null, rates: {} })).toBeNull();
  });
});
