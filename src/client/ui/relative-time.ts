/** Created with the first time shown, because creating it blocks a slow phone for 50 ms. */
let format: Intl.RelativeTimeFormat | undefined;

/** Formats a time from now: `in 12 days`, `tomorrow`, `3 hours ago`. */
export function formatRelative(value: number, unit: "minute" | "hour" | "day" | "month" | "year") {
  format ??= new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  return format.format(value, unit);
}

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** How long ago an instant was, or how far ahead it is: `just now`, `3 hours ago`, `in 2 days`. */
export function formatTimeFromNow(instant: string, now = Date.now()): string {
  const minutes = Math.round((Date.parse(instant) - now) / MINUTE_MS);
  if (minutes === 0) return "just now";
  if (Math.abs(minutes) < HOUR_MINUTES) return formatRelative(minutes, "minute");
  if (Math.abs(minutes) < DAY_MINUTES) {
    return formatRelative(Math.round(minutes / HOUR_MINUTES), "hour");
  }
  return formatRelative(Math.round(minutes / DAY_MINUTES), "day");
}
