import { currencyDigits } from "../../../shared/money.ts";
import { parseCurrency, type CurrencyMark } from "./currency.ts";
import { isNone } from "./none-words.ts";

/**
 * An amount as far as the cell speaks for itself: digits with at most one mark left in them.
 * `open` says that the mark may be a thousands mark as well as a decimal one (`1.234`).
 */
export type WrittenMoney =
  | { kind: "none" }
  | {
      kind: "amount";
      number: string;
      mark: "." | "," | null;
      open: boolean;
      currency: CurrencyMark;
    }
  | { kind: "unreadable"; reason: string };

/** How the amounts of one column are read; plain JSON. `decimal` null: no cell has shown it. */
export interface MoneyReading {
  decimal: "." | "," | null;
  /** A price in ¥ has decimals, which the yen has not: then `¥39` is yuan too. */
  yuan?: boolean;
}

const MAX_TEXT = 40;
const PER_YEAR = /\s*(?:\/|\bper\b|\bpro\b|\bpar\b|\bpor\b|\bp\.\s?a\.?)\s*(?:\p{L}+\.?)?$/iu;
/** A price of less than a year would pass for one of a year. */
const PER_MONTH =
  /(?:\/|\b(?:per|pro|par|por|al)\b)\s*(?:m(?:o|th)?\b|months?|mois|mes|mese|mens\p{L}*|monat|maand|miesi\p{L}*|quart\p{L}*|trim\p{L}*|w(?:ee)?k|day|月)/iu;
const AMOUNT = /^(\D{0,8}?)\s*((?:(?<!\p{L})[.,])?\d(?:[\d.,'’\s]*\d)?)\s*(\D{0,8})$/u;
/** No hundredths, as German and Dutch shops write it: `12,-`. */
const DASHES = /[.,][-–—]+(?=\s|$)/;
/** Thousands in groups of three; of two, where India counts lakhs. */
const GROUPS = /^\d{1,3}(?:,\d{2,3})*,\d{3}$/;

/** Reads one cell. Negative amounts, several numbers and unknown words are unreadable. */
export function parseMoney(text: string): WrittenMoney {
  const trimmed = text.replace(/[\u00a0\u202f\u2009]/g, " ").trim();
  if (isNone(trimmed)) return { kind: "none" };
  const unreadable = {
    kind: "unreadable",
    reason: "Expected an amount such as 18.99 USD",
  } as const;
  if (trimmed.length > MAX_TEXT) return unreadable;
  if (PER_MONTH.test(trimmed)) return { kind: "unreadable", reason: "Expected a price per year" };
  const amount = AMOUNT.exec(trimmed.replace(PER_YEAR, "").replace(DASHES, ""));
  const [, before = "", digits = "", after = ""] = amount ?? [];
  const number = digits === "" ? null : parseNumber(digits);
  if (number === null) return unreadable;
  const currency = currencyBeside([before, after], number.mark !== null && !number.open);
  if (currency === "unknown") {
    return { kind: "unreadable", reason: "Expected an amount with a known currency or none" };
  }
  return { kind: "amount", ...number, currency };
}

/** Smallest units of the currency, exactly; a fault where the amount cannot be held in them. */
export function toMinor(
  { number, mark, open }: WrittenMoney & { kind: "amount" },
  { decimal }: MoneyReading,
  currency: string | null,
): number | { reason: string } {
  const digits = currencyDigits(currency);
  if (open && decimal === null && digits === 3) {
    return { reason: "Expected to know whether the mark is for thousands or for decimals" };
  }
  // No price has thousandths of a currency that has hundredths: undecided means thousands.
  const thousands = open && mark !== decimal;
  const [whole = "", fraction = ""] = thousands
    ? [number.replace(/[.,]/, "")]
    : number.split(/[.,]/);
  const exact = fraction.replace(/0+$/, "");
  if (exact.length > digits) return { reason: `Expected at most ${digits} decimals` };
  const minor = Number(whole + exact.padEnd(digits, "0"));
  return Number.isSafeInteger(minor) ? minor : { reason: "Expected a smaller amount" };
}

/** Learns from every cell of a column which mark its decimals have. */
export class MoneyEvidence {
  readonly #marks = { ".": 0, ",": 0 };
  #yuan = false;

  add(text: string): void {
    // 1,018.99 shows its decimal mark; 1.234 may be either.
    const money = parseMoney(text);
    if (money.kind !== "amount" || money.mark === null || money.open) return;
    this.#marks[money.mark] += 1;
    this.#yuan ||= hasYenSign(text);
  }

  decide(): MoneyReading {
    const { ".": dots, ",": commas } = this.#marks;
    const both = dots > 0 && commas > 0;
    const decimal = both || dots + commas === 0 ? null : dots > 0 ? "." : ",";
    return { decimal, ...(this.#yuan && { yuan: true }) };
  }
}

/** Whether an amount is marked with the sign that yen and yuan share. */
export function hasYenSign(text: string): boolean {
  return /[¥￥]/.test(text) && !/jp|cn/i.test(text);
}

function parseNumber(
  digits: string,
): { number: string; mark: "." | "," | null; open: boolean } | null {
  if (/['’\s]/.test(digits) && !/^\d{1,3}(?:['’\s]\d{3})+(?:[.,]\d+)?$/.test(digits)) return null;
  const number = digits.replace(/['’\s]/g, "");
  const last = /[.,](?=[^.,]*$)/.exec(number);
  if (last === null) return { number, mark: null, open: false };
  const mark = last[0] === "." ? "." : ",";
  const whole = number.slice(0, last.index);
  const fraction = number.slice(last.index + 1);
  if (!/[.,]/.test(whole)) {
    const open = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole) && number === digits;
    return { number: (whole || "0") + mark + fraction, mark, open };
  }
  if (whole.includes(mark)) {
    const grouped = GROUPS.test(number.replaceAll(mark, ","));
    return grouped ? { number: number.replaceAll(mark, ""), mark: null, open: false } : null;
  }
  if (!GROUPS.test(whole.replaceAll(".", ","))) return null;
  return { number: whole.replace(/[.,]/g, "") + mark + fraction, mark, open: false };
}

function currencyBeside(texts: readonly string[], hasDecimals: boolean): CurrencyMark | "unknown" {
  const marks = texts.map((each) => each.trim()).filter((each) => each !== "");
  const found = marks.map((mark) => parseCurrency(mark, hasDecimals));
  if (found.includes(null)) return "unknown";
  return found.find((mark) => mark !== null && "code" in mark) ?? found[0] ?? null;
}
