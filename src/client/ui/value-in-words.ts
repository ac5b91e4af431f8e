import { parseRecord, textOrNull } from "../../shared/parse-json.ts";
import { moneyInWords } from "./money.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day as this device writes days. */
export function dayInWords(day: string): string {
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) return day;
  return date.toLocaleDateString(undefined, { dateStyle: "long", timeZone: "UTC" });
}

/** What a field of a domain holds, as a person reads it; whatever says nothing is `unknown`. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === "") return "unknown";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "string") return DAY.test(value) ? dayInWords(value) : value;
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(", ") : "none";
  if (typeof value !== "object") return String(value);
  const { date, minor, currency, years } = parseRecord(value);
  if (typeof date === "string") return dayInWords(date);
  if (typeof minor !== "number") return "unknown";
  const period = typeof years === "number" ? years : null;
  return moneyInWords({ minor, currency: textOrNull(currency), years: period });
}
