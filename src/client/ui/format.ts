import { parseRenewal } from "../../shared/domain.ts";
import { isRecord } from "../../shared/parse.ts";
import { formatRenewal } from "./money.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A number of domains as part of a sentence: `1 domain`, `4,000 domains`. */
export function formatDomainCount(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "domain" : "domains"}`;
}

/** A calendar day in the device's long format; returns what is not a day unchanged. */
export function formatDay(day: string): string {
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) return day;
  return date.toLocaleDateString(undefined, { dateStyle: "long", timeZone: "UTC" });
}

/** The date of an instant, in the device's format and time zone. */
export function formatDate(instant: string): string {
  return new Date(instant).toLocaleDateString(undefined, { dateStyle: "medium" });
}

/** The date and time of an instant, in the device's format and time zone. */
export function formatDateTime(instant: string): string {
  return new Date(instant).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** Formats the value of any domain field for people; a missing value is `unknown`. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "unknown";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "string") return DAY.test(value) ? formatDay(value) : value;
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(", ") : "none";
  if (!isRecord(value)) return String(value);
  if (typeof value.date === "string") return formatDay(value.date);
  return typeof value.minor === "number" ? formatRenewal(parseRenewal(value)) : "unknown";
}
