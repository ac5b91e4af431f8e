import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { currencyDigits } from "../../../../src/shared/money.ts";
import { currencyOfHeader, MoneyEvidence } from "../../../../src/backend/import/values/money.ts";
import { readPrice } from "../../../../src/backend/import/reading/row-values.ts";

interface Besides {
  currency?: string;
  years?: string;
  header?: string;
  dollar?: string;
  fallback?: string;
}

function readColumn(prices: readonly string[], besides: Besides = {}): (string | null)[] {
  const evidence = new MoneyEvidence();
  for (const price of prices) evidence.add(price);
  const { currency = "", years = "", header = null, dollar = null, fallback = null } = besides;
  const context = {
    reading: evidence.decide(),
    headerCurrency: header,
    dollar,
    defaultCurrency: fallback,
    own: false,
  };
  return prices.map((price) => {
    const renewal = readPrice({ price, currency, years }, context);
    if (renewal === null) return null;
    return "reason" in renewal ? "unreadable" : `${renewal.minor} ${renewal.currency}`;
  });
}

describe("readPrice", () => {
  test.each([
    ["18.99 USD", "1899 USD"],
    ["USD18.99", "1899 USD"],
    ["1.234,56 €", "123456 EUR"],
    ["€1,234.56", "123456 EUR"],
    ["1'234.50 CHF", "123450 CHF"],
    ["1’234.50 Fr.", "123450 CHF"],
    ["1 234,50 €", "123450 EUR"],
    ["1\u202f234,50\u00a0€", "123450 EUR"],
    ["12,34,567.00 ₹", "123456700 INR"],
    ["1,234,567 EUR", "123456700 EUR"],
    ["¥1200", "1200 JPY"],
    ["¥1,200", "1200 JPY"],
    ["1628円", "1628 JPY"],
    ["¥69.50", "6950 CNY"],
    ["￥1200", "1200 JPY"],
    ["KWD 3.5", "3500 KWD"],
    ["£9", "900 GBP"],
    ["US$ 18.99", "1899 USD"],
    ["C$ 18.99", "1899 CAD"],
    ["R$ 40,00", "4000 BRL"],
    ["18.99 USD/year", "1899 USD"],
    ["12,50 € pro Jahr", "1250 EUR"],
    ["12.50 € p.a.", "1250 EUR"],
    ["12,- €/J.", "1200 EUR"],
    ["12,50 € / Domain / Jahr", "1250 EUR"],
    ["49,00 zł/rok", "4900 PLN"],
    ["99 kr/år", "9900 null"],
    ["₺40/yıl", "4000 TRY"],
    ["9.99 € per annum", "999 EUR"],
    ["69元/年", "6900 CNY"],
    ["12,- €", "1200 EUR"],
    ["0.00", "0 null"],
    ["0,00", "0 null"],
    ["14.5", "1450 null"],
    ["14.5000", "1450 null"],
    [".99", "99 null"],
    ["1200", "120000 null"],
    ["$ 1,018.99", "101899 null"],
    ["99 kr", "9900 null"],
  ])("reads %j as %s", (price, minor) => expect(readColumn([price])).toEqual([minor]));

  test.each(["", " ", "-", "N/A", "—", "none"])("reads %j as nothing said", (price) =>
    expect(readColumn([price])).toEqual([null]),
  );

  const unreadable = [
    "-5.00|(5.00)|free|12.50 or 13.50|2.00 USD/month|2,00 € pro Monat|2,00 € par mois|2,00 € /mo.",
    "9,99 €/mtl.|€9.99/mnd|4,99 zł/mies.|5 €/Mt.|10 kr/mdr.|$2/mon|₺10/ay|10 €/Vj.|100円/月",
    "20 € per two years|1,00 € / Domain / Monat|1.2.3|1,23,4|12.345678|1 2|10 XYZW|5 apples",
    "JPY 12.50|99999999999999999999|1e3|0x10|NaN|Infinity|=1+1",
    "€".repeat(5000),
    "1".repeat(5000),
    " ".repeat(5000) + "x",
  ];
  test.each(unreadable.join("|").split("|"))("does not read %j", (price) =>
    expect(readColumn([price])).toEqual(["unreadable"]),
  );

  test("decides a lone mark before three digits by the rest of its column", () => {
    expect(readColumn(["1.234", "12,50"])).toEqual(["123400 null", "1250 null"]);
    expect(readColumn(["1,234", "12.50"])).toEqual(["123400 null", "1250 null"]);
    expect(readColumn(["1.500", "12.50"])).toEqual(["150 null", "1250 null"]);
    expect(readColumn(["1.234"])).toEqual(["123400 null"]);
    expect(readColumn(["KWD 1.234"])).toEqual(["unreadable"]);
    expect(readColumn(["KWD 1.234", "KWD 0.500"])).toEqual(["1234 KWD", "500 KWD"]);
  });

  test("takes the currency from the cell, its column, the header, the registrar, the person", () => {
    const all = { currency: "CAD", header: "EUR", dollar: "USD", fallback: "CHF" };
    const { currency: _, ...noColumn } = all;
    const { header: __, ...noHeader } = noColumn;
    expect(readColumn(["5 GBP"], all)).toEqual(["500 GBP"]);
    expect(readColumn(["$5"], all)).toEqual(["500 CAD"]);
    expect(readColumn(["$5"], noColumn)).toEqual(["500 EUR"]);
    expect(readColumn(["$5"], noHeader)).toEqual(["500 USD"]);
    expect(readColumn(["5"], noHeader)).toEqual(["500 CHF"]);
    expect(readColumn(["$5"])).toEqual(["500 null"]);
    expect(readColumn(["5"], { currency: "JPY" })).toEqual(["5 JPY"]);
  });

  test("takes ¥ for yuan throughout where one price has decimals", () => {
    expect(readColumn(["¥39", "¥69.50"])).toEqual(["3900 CNY", "6950 CNY"]);
    expect(readColumn(["￥1,039", "￥69.50"])).toEqual(["103900 CNY", "6950 CNY"]);
    expect(readColumn(["¥1200", "€12.50", "JPY 40"])).toEqual(["1200 JPY", "1250 EUR", "40 JPY"]);
    expect(readColumn(["¥69.50", "JPY 40"])).toEqual(["6950 CNY", "40 JPY"]);
  });

  test("never takes one cell's currency for another's", () =>
    expect(readColumn(["1.234,56 €", "12,50"])).toEqual(["123456 EUR", "1250 null"]));

  test.each([
    ["2", 2],
    ["1 year", 1],
    ["24 months", 2],
    ["", null],
    ["18 months", null],
    ["0", null],
    ["101", null],
  ])("reads %j years as %p", (years, count) => {
    const given = { headerCurrency: null, dollar: null, defaultCurrency: null, own: false };
    const context = { reading: { decimal: null }, ...given };
    expect(readPrice({ price: "5", currency: "", years }, context)).toMatchObject({ years: count });
  });

  test("is exact for every amount that Intl writes", () => {
    const amount = fc.integer({ min: 0, max: 99_999_999 });
    const locale = fc.constantFrom("en-US", "de-DE", "fr-FR", "de-CH", "en-IN", "nl-NL", "pt-PT");
    const code = fc.constantFrom("EUR", "GBP", "JPY", "CHF", "KWD");
    fc.assert(
      fc.property(amount, locale, code, (minor, where, currency) => {
        const digits = currencyDigits(currency);
        const text = minor.toString().padStart(digits + 1, "0");
        const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
        const style = { style: "currency", currency, currencyDisplay: "code" } as const;
        const written = new Intl.NumberFormat(where, style).format(Number(decimal));
        // The second price shows the column's decimal mark, where the first leaves it open.
        const sibling = new Intl.NumberFormat(where, { ...style, currency: "EUR" }).format(0.5);
        const [read] = readColumn([written, sibling]);
        expect({ written, read }).toEqual({ written, read: `${minor} ${currency}` });
      }),
    );
  });
});

test.each([
  ["Price (EUR)", "EUR"],
  ["Renewal USD", "USD"],
  ["Preis €", "EUR"],
  ["Renewal price", null],
  ["try all prices", null],
  ["", null],
])("currencyOfHeader finds in %j %p", (header, code) =>
  expect(currencyOfHeader(header)).toBe(code),
);
