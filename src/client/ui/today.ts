import type { Day } from "../../shared/day.ts";

/** The calendar day that it is on this device. Daylight saving time has no effect. */
export function localToday(now = new Date()): Day {
  const day = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return new Date(day).toISOString().slice(0, 10);
}
