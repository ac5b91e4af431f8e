import { daysBetween } from "../../shared/day.ts";
import { formatDay, formatRelative, localToday } from "./format.ts";

/** Formats the days left: `today`, `in 12 days`, `3 days ago`, `in 14 months`. */
export function formatDaysLeft(days: number): string {
  const months = Math.trunc(days / 30.44);
  if (Math.abs(months) < 4) return formatRelative(days, "day");
  if (Math.abs(months) < 24) return formatRelative(months, "month");
  return formatRelative(Math.trunc(days / 365.25), "year");
}

/** An expiry date with the time left. */
export function ExpiryDate({ day }: { day: string }) {
  const days = daysBetween(localToday(), day);
  if (Number.isNaN(days)) return day;
  const urgency = days < 0 ? "past" : days <= 1 ? "near" : days <= 7 ? "soon" : "far";
  return (
    <time dateTime={day} className={`day ${urgency}`}>
      {formatDay(day, "medium")}
      <span className="day-left">{formatDaysLeft(days)}</span>
    </time>
  );
}
