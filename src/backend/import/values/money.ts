import { memoize } from "../../../shared/memoize.ts";
import { currencyDigits } from "../../../shared/money.ts";
import cellWords from "../data/cell-words.json" with { type: "json" };
import { isNullValue } from "./cell-shapes.ts";

/** A price cell by itself. `ambiguous`: its separator may be for thousands or decimals (`1.234`). */
type WrittenMoney =
  | { kind: "none" }
  | {
      kind: "amount";
      number: string;
      separator: Separator | null;
      ambiguous: boolean;
      /** Null: there is no mark. */
      currency: CurrencyMark | null;
    }
  | { kind: "unreadable"; reason: string };

type Separator = "." | ",";

/** How the amounts of one column are read; plain JSON. `decimal` null: no cell has shown it. */
export interface MoneyReading {
  decimal: Separator | null;
  /** Some price in ¥ has decimals, which the yen has not: then `¥39` is yuan too. */
  yuan?: boolean;
}

const MAX_PRICE_LENGTH = 40;
const UNREADABLE = "This price can’t be read";
const NOT_YEARLY = "This isn’t a price per year";
/** What follows is the time or the thing that a price is for. */
const PER = /\s*(?:\/|\b(?:per|pro|par|por|al)\b|\bp\.\s?a\.?)\s*(?![\s\d])/iu;
/** A unit of years in the languages of `data/`, and of currencies with a sign of their own; or none. */
export const YEARS =
  /^(?:yr?s?|years?|year\(s\)|j|jahre?|jaar|jaren|ans?|ann[eé]es?|a|annum|anno|anni|anos?|años?|rok|lata?|år|vuosi|yıl|év|год|рік|年|년)?\.?$/iu;
export const YEARLY =
  /^(?:(?:ann?ual|annuel|jährlich|jaarlijks|roczn)\p{L}*|yearly|毎年|年払い?)$/iu;
/** A price for anything else must not pass for that of a year. */
const UNITS = [YEARS, YEARLY, /^(?:dom\p{L}+|name|ドメイン名?)$/iu];
const AMOUNT = /^(\D{0,8}?)\s*((?:(?<!\p{L})[.,])?\d(?:[\d.,'’\s]*\d)?)\s*(\D{0,8})$/u;
/** "No hundredths", as German and Dutch shops write it: `12,-`. */
const DASHES = /[.,][-–—]+(?=\s|$)/;
/** Thousands in groups of three; above them groups of two, as India writes lakhs. */
const GROUPS = /^\d{1,3}(?:,\d{2,3})*,\d{3}$/;

/** Reads one cell. Negative amounts, several numbers and unknown words are unreadable. Memoized: prices recur. */
export const parsePriceCell = memoize((text: string): WrittenMoney => {
  const trimmed = text.replace(/[\u00a0\u202f\u2009]/g, " ").trim();
  if (isNullValue(trimmed)) return { kind: "none" };
  if (trimmed.length > MAX_PRICE_LENGTH) return { kind: "unreadable", reason: UNREADABLE };
  const [price = "", ...units] = trimmed.split(PER);
  const isYearly = units.every((unit) => UNITS.some((words) => words.test(unit)));
  if (!isYearly) return { kind: "unreadable", reason: NOT_YEARLY };
  const amount = AMOUNT.exec(price.replace(DASHES, ""));
  const [, before = "", digits = "", after = ""] = amount ?? [];
  const number = digits === "" ? null : parseNumber(digits);
  if (number === null) return { kind: "unreadable", reason: UNREADABLE };
  const currency = currencyBeside([before, after], number.separator !== null && !number.ambiguous);
  if (currency === undefined) {
    return { kind: "unreadable", reason: "This price has an unknown currency" };
  }
  return { kind: "amount", ...number, currency };
});

/** Smallest units of the currency, exactly; or the reason why the amount cannot be held in them. */
export function toMinor(
  { number, separator, ambiguous }: WrittenMoney & { kind: "amount" },
  { decimal }: MoneyReading,
  currency: string | null,
): number | { reason: string } {
  const digits = currencyDigits(currency);
  if (ambiguous && decimal === null && digits === 3) {
    return { reason: "Thousands and decimals of this price can be confused" };
  }
  // No price has thousandths of a currency that has hundredths: undecided means thousands.
  const hasThousands = ambiguous && separator !== decimal;
  const [whole = "", fraction = ""] = hasThousands
    ? [number.replace(/[.,]/, "")]
    : number.split(/[.,]/);
  const exact = fraction.replace(/0+$/, "");
  if (exact.length > digits) return { reason: `This price has more than ${digits} decimals` };
  const minor = Number(whole + exact.padEnd(digits, "0"));
  return Number.isSafeInteger(minor) ? minor : { reason: "This price is too large" };
}

/** Collects which decimal separator the cells of a column show. */
export class MoneyEvidence {
  readonly #separators = { ".": 0, ",": 0 };
  #yuan = false;

  add(text: string): void {
    // 1,018.99 shows its decimal separator; 1.234 may be either.
    const money = parsePriceCell(text);
    if (money.kind !== "amount" || money.separator === null || money.ambiguous) return;
    this.#separators[money.separator] += 1;
    this.#yuan ||= hasYenSign(text);
  }

  decide(): MoneyReading {
    const { ".": dots, ",": commas } = this.#separators;
    const isOpen = dots > 0 === commas > 0;
    const decimal = isOpen ? null : dots > 0 ? "." : ",";
    return { decimal, ...(this.#yuan && { yuan: true }) };
  }
}

export function hasYenSign(text: string): boolean {
  return /[¥￥]/.test(text) && !/jp|cn/i.test(text);
}

function parseNumber(
  digits: string,
): { number: string; separator: Separator | null; ambiguous: boolean } | null {
  if (/['’\s]/.test(digits) && !/^\d{1,3}(?:['’\s]\d{3})+(?:[.,]\d+)?$/.test(digits)) return null;
  const number = digits.replace(/['’\s]/g, "");
  const last = /[.,](?=[^.,]*$)/.exec(number);
  if (last === null) return { number, separator: null, ambiguous: false };
  const separator = last[0] === "." ? "." : ",";
  const whole = number.slice(0, last.index);
  const fraction = number.slice(last.index + 1);
  if (!/[.,]/.test(whole)) {
    const ambiguous = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole) && number === digits;
    return { number: (whole || "0") + separator + fraction, separator, ambiguous };
  }
  if (whole.includes(separator)) {
    if (!GROUPS.test(number.replaceAll(separator, ","))) return null;
    return { number: number.replaceAll(separator, ""), separator: null, ambiguous: false };
  }
  if (!GROUPS.test(whole.replaceAll(".", ","))) return null;
  const plain = whole.replace(/[.,]/g, "") + separator + fraction;
  return { number: plain, separator, ambiguous: false };
}

/** The clearest mark; undefined if one is unknown. */
function currencyBeside(texts: readonly string[], hasDecimals: boolean) {
  const marks = texts.map((each) => each.trim()).filter((each) => each !== "");
  const found = marks.map((mark) => parseCurrencyMark(mark, hasDecimals));
  if (found.includes(null)) return undefined;
  return found.find((mark) => mark?.code) ?? found[0] ?? null;
}

const SIGNS: ReadonlyMap<string, string> = new Map(Object.entries(cellWords.signs));

/** Signs of several currencies: they tell that this is money, but not which. */
const SHARED: ReadonlySet<string> = new Set(cellWords.sharedSigns);

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** The mark beside an amount; without a code, a sign that several currencies share. */
interface CurrencyMark {
  mark: string;
  code: string | null;
}

/** Reads a sign or an ISO 4217 code; null: neither. The yen has no decimals, so `¥` with some is the yuan. */
export function parseCurrencyMark(text: string, hasDecimals = false): CurrencyMark | null {
  const mark = text.normalize("NFKC").trim().toLowerCase();
  const code = mark.toUpperCase();
  if (CODES.has(code)) return { mark, code };
  if (mark === "¥") return { mark, code: hasDecimals ? "CNY" : "JPY" };
  const known = SIGNS.get(mark) ?? null;
  return known !== null || SHARED.has(mark) ? { mark, code: known } : null;
}

/** Longer headers are looked at to here: normalisation is not linear. */
const MAX_HEADER_LENGTH = 300;

/** The currency that a header names, as in `Price (EUR)` or `Renewal €`, or null. */
export function currencyOfHeader(header: string): string | null {
  for (const word of header.slice(0, MAX_HEADER_LENGTH).split(/[^\p{L}\p{Sc}]+/u)) {
    // Only capitals: in a header "all" and "try" are words before they are currencies.
    if (/\p{Lu}{3}/u.test(word) && CODES.has(word)) return word;
    const mark = /\p{Sc}|[^\p{ASCII}]/u.test(word) ? parseCurrencyMark(word) : null;
    if (mark?.code) return mark.code;
  }
  return null;
}
