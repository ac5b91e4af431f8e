import { isDay } from "../../shared/day.ts";
import { parseRenewal } from "../../shared/domain.ts";
import { isRecord } from "../../shared/parse.ts";
import { formatDay, formatRenewal } from "../ui/format.ts";

/** Formats the value of any field of a domain; a missing value is `unknown`. */
export function formatValue(value: unknown, days: "long" | "medium" = "long"): string {
  if (value === null || value === undefined || value === "") return "unknown";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "string") return isDay(value) ? formatDay(value, days) : value;
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(", ") : "none";
  if (!isRecord(value)) return String(value);
  if (typeof value.date === "string") return formatDay(value.date);
  if (typeof value.id === "string" && typeof value.name === "string") return value.name;
  if (typeof value.minor === "number") return formatRenewal(parseRenewal(value));
  const texts = Object.entries(value).map(([name, text]) => `${name}: ${String(text)}`);
  return texts.join(", ") || "none";
}
