import type { Status } from "../../shared/work.ts";
import { formatDaysLeft } from "./expiry-date.tsx";
import { formatNumber } from "./format.ts";
import "./status-pill.css";

const WORDS = {
  expired: "Expired",
  drop: "To drop",
  lapsed: "Lapsed",
  renews: "Auto-renews",
  unknown: "No date",
} as const;

interface Props {
  status: Status;
  /** How many dates its sources report. */
  dates: number;
}

/** The most urgent fact about a domain, in words and in a colour. */
export function StatusPill({ status: { kind, days }, dates }: Props) {
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
