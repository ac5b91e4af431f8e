import { describe, expect, test } from "bun:test";
import { addUp } from "../../src/shared/total.ts";

describe("addUp", () => {
  const settings = { currency: "EUR", rates: { USD: 0.9, JPY: 0.006 } };

  test("converts each currency, whatever its smallest unit", () => {
    const amounts = [
      { minor: 1000, currency: "EUR" },
      { minor: 1000, currency: "USD" },
      { minor: 1000, currency: "JPY" },
    ];
    expect(addUp(amounts, settings)).toEqual({ minor: 2500, currency: "EUR", missing: [] });
  });

  test("names what has no rate, and needs a currency", () => {
    const amounts = [
      { minor: 1000, currency: "GBP" },
      { minor: 5, currency: null },
      { minor: 1000, currency: "GBP" },
    ];
    expect(addUp(amounts, settings)).toEqual({ minor: 0, currency: "EUR", missing: ["GBP", null] });
    expect(addUp(amounts, { currency: null, rates: {} })).toBeNull();
  });
});
