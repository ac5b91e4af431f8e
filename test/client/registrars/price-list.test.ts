import { describe, expect, test } from "bun:test";
import { formatPriceLine, parsePriceList } from "../../../src/client/registrars/price-list.ts";

describe("parsePriceList", () => {
  test.each([
    ["com 12.50", "com 1250 EUR 1"],
    [".CO.UK\t9,5\t2", "co.uk 950 EUR 2"],
    ["de;1.234,56 €;1 Jahr", "de 123456 EUR 1"],
    ["com,$1,018.99", null],
    ['com,"$1,018.99",3 years', "com 101899 USD 3"],
    ["com,12.50,1", "com 1250 EUR 1"],
    ["com 12,50 €", "com 1250 EUR 1"],
    ["*.рф 890.00 RUB", "рф 89000 RUB 1"],
    ["jp 1,200 JPY", "jp 1200 JPY 1"],
    // One thousand or one and a bit: not guessed.
    ["com 1.234", null],
    ["com from 9.99", null],
    ["com 9.99 per month or so", null],
    ["com 9.999", null],
    ["a,b,c", null],
    ["= 5", null],
  ])("reads %j as %j", (text, expected) => {
    const line = parsePriceList(`x 1\n${text}`, "eur").find((each) => each.line === 2);
    const { tld, minor, currency, years } = line?.kind === "price" ? line.price : {};
    expect(line?.kind).toBe(expected === null ? "fault" : "price");
    expect(expected === null || `${tld} ${minor} ${currency} ${years}`).toBe(expected ?? true);
  });

  test("leaves a heading and empty lines out, and keeps what has no price yet", () => {
    const lines = parsePriceList("TLD;Preis;Jahre\r\n\r\nnet\r\ncom;9;1", "EUR");
    expect(lines.map(({ line, kind }) => [line, kind])).toEqual([
      [3, "open"],
      [4, "price"],
    ]);
  });

  test("reads what it has written", () => {
    for (const [currency, years] of [
      ["EUR", 1],
      ["USD", 10],
    ] as const) {
      const price = { tld: "co.uk", minor: 101_899, currency, years };
      const [line] = parsePriceList(formatPriceLine(price, "EUR"), "EUR");
      expect(line).toMatchObject({ kind: "price", price });
    }
  });
});
