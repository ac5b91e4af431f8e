import * as p from "./parse.ts";

/** A calendar day, `YYYY-MM-DD`, as the source wrote it; it has no time zone. */
export type Day = string;

/** An instant, RFC 3339 in UTC, such as `2026-11-21T03:18:37.000Z`. */
export type Instant = string;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const DAY_SECONDS = 86_400;

/** Days on which a registration can expire: before the first there was no register of names. */
const FIRST_DAY = "1985-01-01";
const LAST_DAY = "2199-12-31";

/** Whether a text is a day of the calendar as `YYYY-MM-DD`, from 1985 to 2199. */
export function isDay(text: string): text is Day {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // 2027-02-30 parses as 2 March in some engines and as no date in others.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

export const ANY_DAY = `a calendar day from ${FIRST_DAY} to ${LAST_DAY}`;

export const parseDay = p.described(
  (value): Day => {
    if (typeof value === "string" && isDay(value)) return value;
    return p.refuse("day", p.expected(ANY_DAY, value));
  },
  () => ({ type: "string", format: "date" }),
);

export function utcToday(): Day {
  return new Date().toISOString().slice(0, 10);
}

/** The day that is `days` after another; before it where `days` is negative. */
export function addDays(from: Day, days: number): Day {
  const date = new Date(`${from}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Whole days from one day to another; negative where that lies before it. */
export function daysBetween(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** The first day of the month that is `months` after that of a day, or after a month such as `2027-05`. */
export function firstOfMonth(from: Day, months = 0): Day {
  const date = new Date(`${from.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}
