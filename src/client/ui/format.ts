import type { Day } from "../../shared/day.ts";
import type { Renewal } from "../../shared/domain.ts";
import { memoize } from "../../shared/memoize.ts";
import { currencyDigits, isCurrencyCode } from "../../shared/money.ts";
import { preferences } from "./preferences.ts";

/** Styles of dates. Calendar days and months have no time zone. */
const DATE_STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  long: { dateStyle: "long", timeZone: "UTC" },
  medium: { dateStyle: "medium", timeZone: "UTC" },
  weekday: { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" },
  shortDay: { day: "numeric", month: "short", timeZone: "UTC" },
  month: { month: "long", year: "numeric", timeZone: "UTC" },
  mediumMonth: { month: "short", year: "numeric", timeZone: "UTC" },
  shortMonth: { month: "short", timeZone: "UTC" },
  narrowMonth: { month: "narrow", timeZone: "UTC" },
  instant: { dateStyle: "medium" },
  time: { timeStyle: "short" },
};

/** Memoized: creating a format takes far longer than using it. */
const dateFormat = memoize((key) => {
  const [style = "", locale] = key.split(" ");
  return new Intl.DateTimeFormat(locale, DATE_STYLES[style]);
});

/** Formats a date by the person's choice; `iso` leaves days and months as they are. */
function format(date: Date, style: string): string {
  const { dates } = preferences.get();
  const own = dates === "browser" || dates === "iso";
  return dateFormat(own ? style : `${style} ${dates}`).format(date);
}

/** Counts things in a sentence: `1 row`, `4,000 rows`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

export function formatDomainCount(count: number): string {
  return formatCount(count, "domain");
}

type DayStyle = "long" | "medium" | "weekday" | "shortDay";

/** Formats a calendar day; other text is returned unchanged. */
export function formatDay(day: string, style: DayStyle = "long"): string {
  const date = new Date(day);
  return Number.isNaN(date.getTime()) || isIso() ? day : format(date, style);
}

/** Formats a day for a list: `Nov 23`, with the year only where it is another, `Jan 4, 2027`. */
export function formatShortDay(day: Day, today = localToday()): string {
  return formatDay(day, day.slice(0, 4) === today.slice(0, 4) ? "shortDay" : "medium");
}

/** Formats a month such as `2026-11`: `November 2026`, `Nov 2026`, or without its year `Nov` or `N`. */
export function formatMonth(
  month: string,
  style: "month" | "mediumMonth" | "shortMonth" | "narrowMonth" = "month",
): string {
  const hasYear = style === "month" || style === "mediumMonth";
  return hasYear && isIso() ? month : format(new Date(`${month}-01`), style);
}

/** Formats instants in the device's time zone. */
export function formatDate(instant: string): string {
  const date = new Date(instant);
  if (!isIso()) return format(date, "instant");
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return day.map((part) => String(part).padStart(2, "0")).join("-");
}

export function formatDateTime(instant: string): string {
  return `${formatDate(instant)}, ${formatTime(instant)}`;
}

export function formatTime(instant: string): string {
  return format(new Date(instant), "time");
}

/** The time of an instant of today, else its day. */
export function formatTimeOrDay(instant: string): string {
  const day = localToday(new Date(instant));
  return day === localToday() ? formatTime(instant) : formatShortDay(day);
}

/** The language of formatted days and months, for `lang` within an English sentence. */
export function dayLanguage(): string {
  const { dates } = preferences.get();
  return dates === "browser" || isIso() ? navigator.language : dates;
}

function isIso(): boolean {
  return preferences.get().dates === "iso";
}

const numberFormat = memoize((key) => {
  const [locale, currency, digits] = key.split(" ");
  return new Intl.NumberFormat(locale || undefined, {
    ...(currency && { style: "currency", currency }),
    ...(digits && {
      minimumFractionDigits: Number(digits),
      maximumFractionDigits: Number(digits),
    }),
  });
});

/**
 * Formats a number by the person's choice: `4,000`. With a currency (ISO 4217) it is an amount;
 * it has `digits` decimals, which browsers must not choose: see `currencyDigits`.
 */
export function formatNumber(
  value: number,
  { currency = "", digits }: { currency?: string; digits?: number } = {},
): string {
  const { numbers } = preferences.get();
  const locale = numbers === "browser" ? "" : numbers;
  return numberFormat(`${locale} ${currency} ${digits ?? ""}`).format(value);
}

/** Created on first use, because it blocks a slow phone for 50 ms. */
let relative: Intl.RelativeTimeFormat | undefined;

/** Formats a time from now: `in 12 days`, `tomorrow`, `3 hours ago`. */
export function formatRelative(value: number, unit: "minute" | "hour" | "day" | "month" | "year") {
  relative ??= new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  return relative.format(value, unit);
}

const YEAR_DAYS = 365.25;

/** Formats days from today for a list: `today`, `5 days`, `6 days ago`, from 365 on `2 years`. */
export function formatDays(days: number): string {
  const left = Math.abs(days);
  if (left <= 1) return formatRelative(days, "day");
  const words =
    left < 365 ? formatCount(left, "day") : formatCount(Math.round(left / YEAR_DAYS), "year");
  return days < 0 ? `${words} ago` : words;
}

/** Formats an amount for people. `minor` counts the currency's smallest unit. */
export function formatAmount(minor: number, currency: string | null): string {
  return formatRenewal({ minor, currency, years: null });
}

/** Formats a renewal price for people; a period other than one year is named. */
export function formatRenewal(renewal: Renewal): string {
  const { amount, period, missing } = formatRenewalParts(renewal);
  return amount + (period && ` ${period}`) + (missing && ` (${missing})`);
}

/** The parts of a renewal price, for lines of their own; empty if they do not apply. */
export function formatRenewalParts({ minor, currency, years }: Renewal) {
  const digits = currencyDigits(currency);
  const number = minor / 10 ** digits;
  const known = currency !== null && isCurrencyCode(currency);
  return {
    amount: formatNumber(number, { currency: known ? currency : "", digits }),
    period: years === null || years === 1 ? "" : `for ${years} years`,
    missing: known ? "" : "no currency",
  };
}

/** The calendar day on this device. Daylight saving time has no effect. */
export function localToday(now = new Date()): Day {
  const day = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return new Date(day).toISOString().slice(0, 10);
}
