import { formatRelative } from "./format.ts";

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** Formats when something will be, as far as is known: what is due already comes `in a moment`. */
export function formatTimeUntil(instant: string): string {
  const now = Date.now();
  const isNear = Date.parse(instant) - now < MINUTE_MS / 2;
  return isNear ? "in a moment" : formatTimeFromNow(instant, now);
}

/** Formats how far away an instant is: `just now`, `3 hours ago`, `in 2 days`. */
export function formatTimeFromNow(instant: string, now = Date.now()): string {
  const minutes = Math.round((Date.parse(instant) - now) / MINUTE_MS);
  if (minutes === 0) return "just now";
  if (Math.abs(minutes) < HOUR_MINUTES) return formatRelative(minutes, "minute");
  if (Math.abs(minutes) < DAY_MINUTES) {
    return formatRelative(Math.round(minutes / HOUR_MINUTES), "hour");
  }
  return formatRelative(Math.round(minutes / DAY_MINUTES), "day");
}
