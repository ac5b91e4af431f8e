import { describe, expect, test } from "bun:test";
import { formatPriceLine, parsePriceList } from "../../../src/client/registrars/price-list.ts";

describe("parsePriceList", () => {
  const priceOf = (text: string) =>
    parsePriceList(`x 1\n${text}`, "eur").find((each) => each.line === 2);

  test.each([
    ["com 12.50", "com 1250 EUR 1"],
    [".CO.UK\t9,5\t2", "co.uk 950 EUR 2"],
    ["de;1.234,56 €;1 Jahr", "de 123456 EUR 1"],
    ['com,"$1,018.99",3 years', "com 101899 USD 3"],
    ["com,12.50,1", "com 1250 EUR 1"],
    ["com 12,50 €", "com 1250 EUR 1"],
    ["*.рф 890.00 RUB", "xn--p1ai 89000 RUB 1"],
    ["jp 1,200 JPY", "jp 1200 JPY 1"],
    // A currency beside its number, and none taken for another.
    ["com 12.50USD", "com 1250 USD 1"],
    ["com CHF12.50", "com 1250 CHF 1"],
    ["com US$12.50", "com 1250 USD 1"],
    ["com\t12,50 €* /yr", "com 1250 EUR 1"],
    ["com $12.50 CAD", "com 1250 CAD 1"],
    ["com 12.500 KWD", "com 12500 KWD 1"],
    ["com 1,234.500 KWD", "com 1234500 KWD 1"],
  ])("reads %j as %j", (text, expected) => {
    const line = priceOf(text);
    const { tld, minor, currency, years } = line?.kind === "price" ? line.price : {};
    expect(`${tld} ${minor} ${currency} ${years}`).toBe(expected);
  });

  // One thousand or one and a bit: not guessed.
  const DOUBTFUL = `com,$1,018.99|com 1.234|com from 9.99|com 9.99 per month or so|com 9.999
    |com CA$12.50|com A$20|com R$50|com 50 R$|com ₹899|com ¥1200|com 45zł|com -12.50|com 9.99/month
    |com 1,234 KWD|a,b,c|= 5`;
  test.each(DOUBTFUL.split(/\s*\|/))("understands no %j", (text) => {
    expect(priceOf(text)?.kind).toBe("fault");
  });

  test("leaves a heading and empty lines out, and keeps what has no price yet", () => {
    const lines = parsePriceList("TLD;Preis;Jahre\r\n\r\nnet\r\ncom;9;1", "EUR");
    expect(lines.map(({ line, kind }) => [line, kind])).toEqual([
      [3, "open"],
      [4, "price"],
    ]);
  });

  test("marks the second price of a TLD, in Unicode or not", () => {
    const lines = parsePriceList("com\ncom 9\nxn--p1ai 9\nрф 8", "EUR");
    expect(lines.map(({ kind }) => kind)).toEqual(["open", "price", "price", "repeated"]);
  });

  test("reads what it has written", () => {
    for (const [currency, years] of [
      ["KWD", 2],
      ["EUR", 1],
      ["USD", 10],
    ] as const) {
      const price = { tld: "co.uk", minor: 101_899, currency, years };
      const [line] = parsePriceList(formatPriceLine(price, "EUR"), "EUR");
      expect(line).toMatchObject({ kind: "price", price });
    }
  });
});
