import type { Day } from "../../../shared/contract.ts";
import type { DateOrder } from "../../../shared/import-contract.ts";
import { isDay } from "../../../shared/day.ts";
import { MONTHS, WEEKDAYS } from "./month-words.ts";
import { isNone } from "./none-words.ts";

export type { DateOrder };

/**
 * One cell of a date column, as far as it speaks for itself. `parts` are three numbers whose order
 * only the column can tell; a `number` is a date only where the whole column is numbers.
 */
export type WrittenDate =
  | { kind: "none" }
  | { kind: "day"; day: Day; form: "iso" | "ymd" | "words" }
  | { kind: "parts"; parts: readonly [string, string, string]; mark: "dots" | "others" }
  | { kind: "number"; unit: "seconds" | "milliseconds" | "serial"; value: number }
  | { kind: "unreadable"; reason: string };

const MAX_TEXT = 60;

const TIME = /\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?/;
/** Year first: ISO 8601, with or without time and zone; the day stays the one that is written. */
const YEAR_FIRST =
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T,\s]+\d{1,2}:\d{2}[^/]*|\s*Z|\s+[A-Z]{2,5}|)$/i;
const IN_SIGNS = /^(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日(?:\s?\d{1,2}:\d{2}.*)?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T\d{4,6}.*)?$/i;
const THREE_NUMBERS =
  /^(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?:[,\s]+\d{1,2}:\d{2}[^/]*|)$/;

/** Reads one cell; see `WrittenDate` for what stays open. Never guesses an order. */
export function parseDate(text: string): WrittenDate {
  const trimmed = text.trim();
  if (isNone(trimmed) || /^0{4}-00-00\b/.test(trimmed)) return { kind: "none" };
  if (trimmed.length > MAX_TEXT) return unreadable("a date");

  const signs = IN_SIGNS.exec(trimmed);
  if (signs) {
    const [, year = "", month = "", day = ""] = signs;
    return writtenDay([day, month, year], "ymd");
  }
  const yearFirst = YEAR_FIRST.exec(trimmed);
  if (yearFirst) {
    const [, year = "", mark, month = "", day = ""] = yearFirst;
    return writtenDay([day, month, year], mark === "-" ? "iso" : "ymd");
  }
  const three = THREE_NUMBERS.exec(trimmed);
  if (three) {
    const [, first = "", mark, second = "", third = ""] = three;
    const parts = [first, second, third] as const;
    if (ordersOf(parts).length === 0) return unreadable("a day of the calendar from 1985 to 2199");
    return { kind: "parts", parts, mark: mark === "." ? "dots" : "others" };
  }
  return parseNumber(trimmed) ?? parseWords(trimmed);
}

/** The orders in which three numbers are a day of the calendar. */
export function ordersOf(parts: readonly [string, string, string]): DateOrder[] {
  // A year of two digits in front, as in 27-01-05, is possible wherever the last number may be a day.
  const orders: DateOrder[] = parts[2].length === 4 ? ["dmy", "mdy"] : ["dmy", "mdy", "ymd"];
  return orders.filter((order) => dayInOrder(parts, order) !== null);
}

/** The day that three numbers are in this order, or null where the calendar has none. */
export function dayInOrder(parts: readonly [string, string, string], order: DateOrder): Day | null {
  const [first, second, third] = parts;
  if (order === "dmy") return toDay(first, second, third);
  if (order === "mdy") return toDay(second, first, third);
  return third.length === 2 && first.length === 2 ? toDay(third, second, first) : null;
}

/** The UTC day of a Unix time, or the day of a spreadsheet's 1900 date system. */
export function dayOfNumber(
  unit: "seconds" | "milliseconds" | "serial",
  value: number,
): Day | null {
  const DAY = 86_400_000;
  const instant =
    unit === "serial"
      ? (Math.floor(value) - 25_569) * DAY
      : value * (unit === "seconds" ? 1000 : 1);
  const day = new Date(instant).toISOString().slice(0, 10);
  return isDay(day) ? day : null;
}

function parseNumber(text: string): WrittenDate | null {
  const compact = COMPACT.exec(text);
  if (compact) {
    const [, year = "", month = "", day = ""] = compact;
    return writtenDay([day, month, year], "iso");
  }
  if (/^\d{9,10}$/.test(text)) return { kind: "number", unit: "seconds", value: Number(text) };
  if (/^\d{12,13}$/.test(text))
    return { kind: "number", unit: "milliseconds", value: Number(text) };
  if (/^\d{5}(?:[.,]\d+)?$/.test(text)) {
    return { kind: "number", unit: "serial", value: Number(text.slice(0, 5)) };
  }
  return null;
}

/** A day with its month in words: `26-Jan-2027`, `Tue, Jan 5th, 2027 07:59 UTC`, `5 de enero de 2027`. */
function parseWords(text: string): WrittenDate {
  const folded = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const hasTime = TIME.test(folded);
  const date = folded.replace(TIME, " ").replace(/(?<=\s)[+-]\d{2}:?\d{2}\b/, " ");
  const words = date.match(/\p{L}+/gu) ?? [];
  const numbers = date.match(/\d+/g) ?? [];
  const months = words.flatMap((word) => MONTHS.get(word) ?? []);
  const strange = words.some((word) => !MONTHS.has(word) && !FILLERS.has(word));
  const [first, second] = numbers;
  if (months.length !== 1 || numbers.length !== 2 || (strange && !hasTime)) {
    return unreadable("a date such as 2027-01-05");
  }
  if (first === undefined || second === undefined) return unreadable("a date");
  const [day, year] = first.length === 4 ? [second, first] : [first, second];
  return writtenDay([day, String(months[0]), year], "words");
}

const FILLERS = new Set([
  ...WEEKDAYS,
  ..."de of del di do da den der the le el il st nd rd th er re am pm a p m utc gmt z t h uhr".split(
    " ",
  ),
]);

function writtenDay(
  [day, month, year]: readonly [string, string, string],
  form: "iso" | "ymd" | "words",
): WrittenDate {
  const written = toDay(day, month, year);
  if (written === null) return unreadable("a day of the calendar from 1985 to 2199");
  return { kind: "day", day: written, form };
}

/**
 * Composes a day. Two digits are the year of a window that begins where the calendar of the
 * register does: 85 is 1985, 84 is 2084.
 */
function toDay(day: string, month: string, year: string): Day | null {
  if (day.length > 2 || (year.length !== 4 && year.length !== 2)) return null;
  const century = Number(year) < 85 ? "20" : "19";
  const full = year.length === 2 ? century + year : year;
  const text = `${full}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(text) ? text : null;
}

function unreadable(expectation: string): WrittenDate {
  return { kind: "unreadable", reason: `Expected ${expectation}` };
}
