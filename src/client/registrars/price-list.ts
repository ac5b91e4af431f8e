import { currencyDigits, isCurrencyCode } from "../../shared/money.ts";
import type { ListPrice } from "../../shared/registrars.ts";
import { formatPrice, parsePrice } from "../ui/money.ts";

/** A line of a price list: with a price, still without one, the second price of a TLD, or not understood. */
type PriceLine = { line: number; text: string; tld: string } & (
  { kind: "price"; price: ListPrice } | { kind: "open" | "repeated" | "fault" }
);

const SYMBOLS: Readonly<Record<string, string>> = { "€": "EUR", $: "USD", US$: "USD", "£": "GBP" };

/**
 * Reads a list pasted from a page or a spreadsheet: a line for each TLD with its price and, if more
 * than one, the years; between them tabs, semicolons, commas or blanks. A line may name its
 * currency. A first line without digits is a heading. TLDs become A-labels.
 */
export function parsePriceList(text: string, currency: string): PriceLine[] {
  const lines = text.split(/\r?\n/).map((each, at) => ({ line: at + 1, text: each.trim() }));
  const priced = new Set<string>();
  return lines
    .filter((each) => each.text !== "" && !(each.line === 1 && isHeading(each.text)))
    .map((each) => {
      const read = parseLine(each.text, currency.trim().toUpperCase());
      if (read.kind !== "price") return Object.assign(each, read);
      const isRepeated = priced.has(read.tld);
      priced.add(read.tld);
      return Object.assign(each, isRepeated ? { ...read, kind: "repeated" as const } : read);
    });
}

function isHeading(text: string): boolean {
  return !/\d/.test(text) && /[\s;,]/.test(text);
}

function parseLine(text: string, usual: string) {
  const [first = "", amount, ...more] = splitCells(text);
  const typed = first.toLowerCase().replace(/^\*?\./, "");
  const tld = URL.parse(`http://a.${typed}`)?.hostname.slice("a.".length) ?? typed;
  if (!/^[\p{L}\p{M}\d.-]+$/u.test(typed)) return { kind: "fault", tld } as const;
  if (amount === undefined) return { kind: "open", tld } as const;
  const currency = findCurrency([amount, ...more].join(" ")) ?? usual;
  const rest = more.filter((cell) => findCurrency(cell) === undefined || /\d/.test(cell));
  const years = /^(\d{1,3})(?:\s*\p{L}+\.?)?$/u.exec(rest.join(" ").trim() || "1")?.[1];
  const minor = parseAmount(amount, currency);
  if (minor === null || years === undefined) return { kind: "fault", tld } as const;
  return { kind: "price", tld, price: { tld, minor, currency, years: Number(years) } } as const;
}

function splitCells(text: string): string[] {
  const separator = ["\t", ";"].find((each) => text.includes(each));
  let cells = text.split(separator ?? /\s+/);
  // A comma belongs to the amount, unless it follows the TLD or amounts are quoted.
  if (separator === undefined && /^[^\s,]+,/.test(text)) cells = text.match(/"[^"]*"|[^,]+/g) ?? [];
  return cells.map((cell) => cell.replaceAll('"', "").trim()).filter((cell) => cell !== "");
}

function findCurrency(text: string): string | undefined {
  const [code] = /(?<!\p{L})[A-Z]{3}(?!\p{L})/u.exec(text) ?? [];
  // In `CA$` and `R$`, the dollar is another currency.
  return code ?? SYMBOLS[/(?<!\p{L})(?:US)?\$|[€£]/u.exec(text)?.[0] ?? ""];
}

/** A price with its currency, a footnote and “a year”. Anything else could mean another price. */
const AMOUNT =
  /^(?:[A-Z]{3}|(?:US)?\$|[€£])*(\d[\d.,]*)(?:[A-Z]{3}|(?:US)?\$|[€£])*\*?(?:\/y(?:ea)?r)?$/;

/** Reads `12.50`, `1.234,56 €` and `$1,018.99`; null if ambiguous, such as `1.234`. */
function parseAmount(text: string, currency: string): number | null {
  const number = AMOUNT.exec(text.replaceAll(/[\s'’]/g, ""))?.[1] ?? "";
  const digits = currencyDigits(currency);
  // As `formatPriceLine` writes `12.500` in a currency of 1000 parts.
  const written = digits > 2 && new RegExp(`^([\\d,]+)\\.(\\d{${digits}})$`).exec(number);
  const [, whole = "", part = ""] = written || (/^(.*?)(?:[.,](\d{1,2}))?$/.exec(number) ?? []);
  const isGrouped = /^\d{1,3}(?:\.\d{3})+$|^\d{1,3}(?:,\d{3})+$/.test(whole);
  if (!/^\d+$/.test(whole) && !(isGrouped && (part !== "" || digits === 0))) return null;
  return parsePrice(whole.replaceAll(/[.,]/g, "") + (part && `.${part}`), currency);
}

export function formatPriceLine(price: ListPrice, usual: string): string {
  const { tld, currency, years } = price;
  const own = isCurrencyCode(currency) && currency !== usual ? `  ${currency}` : "";
  return `${tld}  ${formatPrice(price)}${years === 1 ? "" : `  ${years}`}${own}`;
}
