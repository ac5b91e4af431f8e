import { DAY_MS, isDay, type Day } from "../../../shared/day.ts";
import {
  dayInOrder,
  dayOf,
  readNumericDate,
  type DateOrder,
  type DateParts,
} from "../../../shared/import.ts";
import { memoize } from "../../../shared/memoize.ts";
import { foldMarks, isNullValue } from "./cell-shapes.ts";

/** A date cell by itself: its column tells the order of `parts`, and whether a `number` is a date. */
type WrittenDate =
  | { kind: "none" }
  | { kind: "day"; day: Day; form: DayForm }
  | { kind: "parts"; parts: DateParts; separator: "dots" | "others" }
  | { kind: "number"; unit: NumberUnit; day: Day | null }
  | { kind: "unreadable"; reason: string };

/** How a day is written; `polish`: with a month of Polish, `shared`: with one of `SHARED_MONTHS`. */
export type DayForm = "iso" | "ymd" | "words" | "polish" | "shared";
export type NumberUnit = keyof typeof NUMBERS;

const MAX_DATE_LENGTH = 60;

const UNREADABLE = "This date can’t be read";
const IMPOSSIBLE = "This day doesn’t exist, or isn’t between 1985 and 2199";

const TIME = /\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?/;
/** Year first: ISO 8601 with or without time and zone; the day stays as it is written. */
const YEAR_FIRST =
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T,\s]+\d{1,2}:\d{2}[^/]*|\s*Z|\s+[A-Z]{2,5}|)$/i;
const JAPANESE = /^(\d{4})\s?(年)\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日(?:\s?\d{1,2}:\d{2}.*)?$/;
/** With an empty group where others have their separator. */
const COMPACT = /^(\d{4})()(\d{2})(\d{2})(?:T\d{4,6}.*)?$/i;

/** Unix times, and the days of a spreadsheet's 1900 date system, in which 1970-01-01 is 25,569. */
const NUMBERS = {
  seconds: { form: /^\d{9,10}$/, ms: 1000, of1970: 0 },
  milliseconds: { form: /^\d{12,13}$/, ms: 1, of1970: 0 },
  serial: { form: /^\d{5}(?=(?:[.,]\d+)?$)/, ms: DAY_MS, of1970: 25_569 },
} as const;

/** Reads one cell. Never guesses an order: see `WrittenDate` for what stays open. Memoized: days recur. */
export const parseDate = memoize((text: string): WrittenDate => {
  const trimmed = text.trim();
  if (isNullValue(trimmed) || /^0{4}-00-00\b/.test(trimmed)) return { kind: "none" };
  if (trimmed.length > MAX_DATE_LENGTH) return { kind: "unreadable", reason: UNREADABLE };

  const yearFirst = YEAR_FIRST.exec(trimmed) ?? JAPANESE.exec(trimmed) ?? COMPACT.exec(trimmed);
  if (yearFirst) {
    const [, year = "", separator = "", month = "", day = ""] = yearFirst;
    return writtenDay([day, month, year], /^-?$/.test(separator) ? "iso" : "ymd");
  }
  const three = readNumericDate(trimmed);
  if (three) {
    const { parts, separator } = three;
    if (ordersOf(parts).length === 0) return { kind: "unreadable", reason: IMPOSSIBLE };
    return { kind: "parts", parts, separator: separator === "." ? "dots" : "others" };
  }
  return parseNumber(trimmed) ?? parseWords(trimmed);
});

export function ordersOf(parts: DateParts): DateOrder[] {
  // A two-digit year may come first, as in 27-01-05, wherever the last number may be a day.
  const orders: DateOrder[] = parts[2].length === 4 ? ["dmy", "mdy"] : ["dmy", "mdy", "ymd"];
  return orders.filter((order) => dayInOrder(parts, order) !== null);
}

/** The day in UTC that a number stands for. */
function parseNumber(text: string): WrittenDate | null {
  for (const unit of ["seconds", "milliseconds", "serial"] as const) {
    const { form, ms, of1970 } = NUMBERS[unit];
    const [digits] = form.exec(text) ?? [];
    if (digits === undefined) continue;
    const day = new Date((Number(digits) - of1970) * ms).toISOString().slice(0, 10);
    return { kind: "number", unit, day: isDay(day) ? day : null };
  }
  return null;
}

/** A day with its month in words: `26-Jan-2027`, `Tue, Jan 5th, 2027 07:59 UTC`, `5 de enero de 2027`. */
function parseWords(text: string): WrittenDate {
  const folded = foldMarks(text).toLowerCase();
  const hasTime = TIME.test(folded);
  const date = folded.replace(TIME, " ").replace(/(?<=\s)[+-]\d{2}:?\d{2}\b/, " ");
  const words = date.match(/\p{L}+/gu) ?? [];
  const numbers = date.match(/\d+/g) ?? [];
  const months = words.filter((word) => MONTHS.has(word));
  const hasUnknownWord = words.some((word) => !MONTHS.has(word) && !FILLERS.has(word));
  const [first, second] = numbers;
  const [month = ""] = months;
  const isDate = months.length === 1 && numbers.length === 2 && (!hasUnknownWord || hasTime);
  if (!isDate || first === undefined || second === undefined) {
    return { kind: "unreadable", reason: UNREADABLE };
  }
  const [day, year] = first.length === 4 ? [second, first] : [first, second];
  const form = SHARED_MONTHS.has(month) ? "shared" : POLISH.test(month) ? "polish" : "words";
  return writtenDay([day, String(MONTHS.get(month)), year], form);
}

function writtenDay([day, month, year]: DateParts, form: DayForm): WrittenDate {
  const written = dayOf(day, month, year);
  if (written === null) return { kind: "unreadable", reason: IMPOSSIBLE };
  return { kind: "day", day: written, form };
}

/** Polish months that are the one before in Croatian, which is not read: October and June. */
const SHARED_MONTHS: ReadonlySet<string> = new Set(["listopad", "listopada", "lis", "lip"]);
/** The months that show Polish; `maj` is one of other languages too. */
const POLISH = /^(?:sty|lut|marzec|marca|kwi|cze|lipiec|lipca|sie|wrz|paz|gru)/;

/** Months in eight languages, without diacritics. No word is a different month in two of them; see also `SHARED_MONTHS`. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    "january jan januar jaenner janner janvier janv enero ene gennaio gen januari janeiro styczen stycznia sty",
    "february feb februar fevrier fevr fev febrero febbraio februari fevereiro luty lutego lut",
    "march mar marz maerz mrz mars marzo maart mrt marco marzec marca",
    "april apr avril avr abril abr aprile kwiecien kwietnia kwi",
    "may mai mayo maggio mag mei maio maj maja",
    "june jun juni juin junio giugno giu junho czerwiec czerwca cze",
    "july jul juli juillet juil julio luglio lug julho lipiec lipca lip",
    "august aug aout aou agosto ago augustus sierpien sierpnia sie",
    "september sep sept septembre septiembre settembre set setembro wrzesien wrzesnia wrz",
    "october oct oktober okt octobre octubre ottobre ott outubro out pazdziernik pazdziernika paz",
    "november nov novembre noviembre novembro listopad listopada lis",
    "december dec dezember dez decembre diciembre dic dicembre dezembro grudzien grudnia gru",
  ].flatMap((words, index) => words.split(" ").map((word) => [word, index + 1] as const)),
);

/** Words that a date may contain beside its month, days of the week among them. */
const FILLERS: ReadonlySet<string> = new Set(
  [
    "monday mon montag mo lundi lun lunes lunedi maandag ma segunda",
    "tuesday tue tues dienstag di mardi martes martedi dinsdag terca",
    "wednesday wed mittwoch mi mercredi mer miercoles mie mercoledi woensdag wo quarta",
    "thursday thu thur thurs donnerstag jeudi jeu jueves jue giovedi gio donderdag quinta",
    "friday fri freitag fr vendredi ven viernes vie venerdi vrijdag vr sexta",
    "saturday sat samstag sa samedi sam sabado sab sabato zaterdag za",
    "sunday sun sonntag so dimanche dim domingo dom domenica zondag zo",
    "de of del di do da den der the le el il st nd rd th er re am pm a p m utc gmt z t h uhr",
  ].flatMap((words) => words.split(" ")),
);
