const DAY_MS = 86_400_000;

/**
 * Whole calendar days from today, on this device, to a day written `YYYY-MM-DD`. Negative in the
 * past, NaN for any other text. Daylight saving time has no effect.
 */
export function daysUntil(day: string, now = new Date()): number {
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return (Date.parse(day) - today) / DAY_MS;
}

/** The calendar day `days` after today, on this device, as `YYYY-MM-DD`. */
export function dayFromToday(days: number, now = new Date()): string {
  const day = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() + days);
  return new Date(day).toISOString().slice(0, 10);
}
