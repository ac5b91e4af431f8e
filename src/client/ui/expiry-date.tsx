import { daysBetween } from "../../shared/day.ts";
import type { Status } from "../../shared/work.ts";
import { formatDay, formatNumber, formatRelative, localToday } from "./format.ts";
import "./expiry-date.css";
import "./status-pill.css";

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

const WORDS = {
  expired: "Expired",
  drop: "To drop",
  lapsed: "Lapsed",
  renews: "Auto-renews",
  unknown: "No date",
} as const;

interface PillProps {
  status: Status;
  /** Dates that its sources report. */
  dates: number;
}

export function StatusPill({ status: { kind, days }, dates }: PillProps) {
  const left = days ?? 0;
  const tone = kind !== "due" ? kind : left <= 1 ? "now" : left <= 7 ? "soon" : "later";
  return <span className={`status-pill ${tone}`}>{inWords(kind, left, dates)}</span>;
}

function inWords(kind: Status["kind"], days: number, dates: number): string {
  if (kind === "conflict") return `${dates} dates`;
  if (kind === "due") {
    return days === 0 ? "Today" : days === 1 ? "Tomorrow" : `${formatNumber(days)} days`;
  }
  if (kind === "drop" && days < 0) return "Dropped";
  return kind === "ok" ? formatDaysLeft(days).replace("in ", "") : WORDS[kind];
}
