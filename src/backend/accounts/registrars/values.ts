import { isDay } from "../../../shared/day.ts";
import type { ListedStatus } from "../../../shared/accounts.ts";
import { currencyDigits, isCurrencyCode } from "../../../shared/money.ts";
import { isRecord } from "../../../shared/parse.ts";
import { LIMITS } from "../../../shared/text.ts";
import { parseDomainName } from "../../domains/domain-name.ts";
import { parseDateTime } from "../../outbound/received-text.ts";
import type { Price } from "../reading.ts";
import { malformed, type RegistrarRow } from "./registrar-reader.ts";

/** These read single values. One of a wrong type counts as not told; only those that say so throw. */

type Json = Readonly<Record<string, unknown>>;

/** Members of an object; none of anything else. */
export function objectOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** Of a page; the largest that is asked for has 1,000. */
const MAX_ROWS = 5_000;

/** @throws {ApiFault} Unless it is a list of at most 5,000 objects. */
export function rowsOf(value: unknown, what: string): Json[] {
  const isList = Array.isArray(value) && value.length <= MAX_ROWS;
  if (!isList || !value.every(isRecord)) throw malformed(what);
  return value;
}

/** @throws {ApiFault} Unless it is an object of at most 5,000 members. */
export function entriesOf(value: unknown, what: string): [name: string, value: unknown][] {
  const entries = Object.entries(objectOf(value));
  if (entries.length > MAX_ROWS) throw malformed(what);
  return entries;
}

/** A whole number of at least 0, also as text. @throws {ApiFault} */
export function countOf(value: unknown, what: string): number {
  const count = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0) throw malformed(what);
  return count;
}

/** As `countOf`, where it may be missing: null. @throws {ApiFault} */
export function optionalCount(value: unknown, what: string): number | null {
  return value === undefined || value === null ? null : countOf(value, what);
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

const FLAGS = { true: true, false: false, 1: true, 0: false, yes: true, no: false };

/** What a word means, in any case, by a table whose keys are lower-case; another word is not told. */
export function flagOf(
  value: unknown,
  words: Readonly<Record<string, boolean>> = FLAGS,
): boolean | null {
  // As a text, a list of one value is that value.
  if (typeof value === "object") return null;
  const word = String(value).toLowerCase();
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null;
}

/** What the next page is asked with; null at the end. @throws {ApiFault} Where that cannot be told. */
export function cursorOf(value: unknown, what: string): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string") throw malformed(what);
  return value;
}

type Expiry = Pick<RegistrarRow, "expires" | "unreadable">;
type Status = Pick<RegistrarRow, "status" | "statusRaw">;

/** Epoch times from here on are milliseconds: as seconds they would be in the year 5138. */
const MIN_EPOCH_MS = 1e11;

/**
 * Reads ISO 8601, with a space or a T, or an epoch time. An instant counts by its day in UTC; a time
 * without a zone and a day alone count as they are written. Of several values, the first that tells.
 */
export function expiryOf(...values: unknown[]): Expiry {
  const read = values.map(readExpiry);
  return read.find(({ expires }) => expires) ?? read.find((each) => each.unreadable) ?? {};
}

function readExpiry(value: unknown): Expiry {
  if (typeof value === "number") {
    const ms = Math.abs(value) < MIN_EPOCH_MS ? value * 1_000 : value;
    return dayOf(new Date(ms), value);
  }
  const text = textOf(value);
  return text === null ? {} : dayOf(new Date(parseDateTime(text)), value);
}

/** Reads MM/DD/YYYY. */
export function usExpiryOf(value: unknown): Expiry {
  const text = textOf(value);
  if (text === null) return {};
  const [, month = "", date = "", year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const day = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  return isDay(day) ? { expires: day } : { unreadable: String(value) };
}

function dayOf(date: Date, value: unknown): Expiry {
  const expires = Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
  return isDay(expires) ? { expires } : { unreadable: String(value) };
}

/** Hosts as lower-case A-labels, each once; null if there are none, or more than a domain may have. */
export function hostsOf(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const hosts = value.flatMap((each) => {
    const host = typeof each === "string" ? parseDomainName(each) : { code: "type" };
    return "name" in host ? [host.name] : [];
  });
  const unique = [...new Set(hosts)];
  return unique.length === 0 || unique.length > LIMITS.nameservers ? null : unique;
}

/** A registrar's word for the status, and what it means by its table, whose keys are lower-case. */
export function statusOf(value: unknown, words: Readonly<Record<string, ListedStatus>>): Status {
  const statusRaw = textOf(value);
  if (statusRaw === null) return {};
  const word = statusRaw.toLowerCase();
  return { status: (Object.hasOwn(words, word) && words[word]) || "unknown", statusRaw };
}

/** Codes that say nothing about whether a name is in use, RFC 5731 §2.3 and RFC 3915 §3.1. */
const QUIET_CODES =
  /^(?:ok|active|inactive|pending(?:update|renew)|.*prohibited|(?:add|renew|autorenew|transfer)period)$/;

/** In the order in which one outranks another. */
const EPP_STATUSES: readonly (readonly [RegExp, ListedStatus])[] = [
  [/^(?:redemption|pendingrestore)/, "redemption"],
  [/^pendingdelete/, "pending-delete"],
  [/^pendingtransfer/, "transferring-out"],
  [/^expired$/, "expired"],
  [/^(?:client|server)hold$/, "suspended"],
  [/^pending(?:create|validation|verification)/, "pending"],
];

/** What a list of EPP codes means, in any spelling (`clientHold`, `CLIENT_HOLD`). */
export function eppStatusOf(value: unknown): Status {
  if (!Array.isArray(value)) return {};
  const words = value.filter((word) => typeof word === "string");
  const codes = words.map((word) => word.replaceAll(/[_ ]/g, "").toLowerCase());
  const known = EPP_STATUSES.find(([form]) => codes.some((code) => form.test(code)))?.[1];
  const isQuiet = codes.every((code) => QUIET_CODES.test(code));
  const status = known ?? (isQuiet ? "active" : "unknown");
  return { status, statusRaw: words.join(" ") || null };
}

/** Whether a list of EPP codes has one; null without a list. */
export function hasCode(value: unknown, code: RegExp): boolean | null {
  if (!Array.isArray(value)) return null;
  return value.some((word) => typeof word === "string" && code.test(word));
}

/** A price for a year, of a number or of a text such as "11.08"; null for anything else. */
export function priceOf(value: unknown, currency: string): Price | null {
  const digits = currencyDigits(currency);
  const text = typeof value === "number" ? String(value) : (textOf(value) ?? "");
  const [, whole = "", part = ""] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  const cents = part.replace(/0+$/, "");
  if (whole === "" || cents.length > digits || !isCurrencyCode(currency)) return null;
  return { minor: Number(whole + cents.padEnd(digits, "0")), currency, years: 1 };
}
