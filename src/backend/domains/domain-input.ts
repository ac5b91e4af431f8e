import type { Day, DomainInput, FieldProblem, Renewal } from "../../shared/contract.ts";
import { expected, Fields, isBlank, labelFault } from "../http/fields.ts";
import { isDay } from "./day.ts";
import { DOMAIN_FIELDS } from "./domain-fields.ts";
import { parseDomainName, type DomainName } from "./domain-name.ts";
import { foldLabel } from "./label.ts";

/** A checked `DomainInput`: what is absent was not sent, and stays as it is. */
export interface DomainValues extends Omit<DomainInput, "name"> {
  name?: DomainName;
}

export const DECISIONS = ["keep", "drop", "transfer", "watch"] as const;

export const LIMITS = { label: 200, tag: 50, tags: 50, notes: 10_000, years: 100 };

/**
 * Checks the body of POST or PATCH and reports every bad field at once. Labels are at most 200
 * characters (blank is none), tags at most 50 of 50 characters without repetition, notes at most
 * 10,000 characters.
 */
export function parseDomainInput(
  json: unknown,
  { nameRequired }: { nameRequired: boolean },
): DomainValues | FieldProblem[] {
  const fields = new Fields(json, DOMAIN_FIELDS);
  const values: DomainValues = {};
  if (fields.has("name") || nameRequired) readName(fields, values);
  if (fields.has("registrar")) values.registrar = fields.label("registrar", LIMITS.label);
  if (fields.has("account")) values.account = fields.label("account", LIMITS.label);
  if (fields.has("owner")) values.owner = fields.label("owner", LIMITS.label);
  if (fields.has("tags")) values.tags = readTags(fields);
  if (fields.has("decision")) values.decision = fields.choice("decision", DECISIONS);
  if (fields.has("autoRenew")) values.autoRenew = fields.flag("autoRenew");
  if (fields.has("expires")) values.expires = readDay(fields);
  if (fields.has("renewal")) values.renewal = readRenewal(fields);
  if (fields.has("notes")) {
    const notes = fields.text("notes", { max: LIMITS.notes, multiline: true }) ?? "";
    values.notes = isBlank(notes) ? "" : notes;
  }
  return fields.problems.length > 0 ? fields.problems : values;
}

function readName(fields: Fields, values: DomainValues): void {
  const text = fields.value("name");
  if (typeof text !== "string") {
    fields.refuse("name", "type", expected("a domain name such as example.com", text));
    return;
  }
  const name = parseDomainName(text);
  if ("code" in name) fields.refuse("name", name.code, name.detail);
  else values.name = name;
}

/** Tags by their folded form, so that "Client" and "client" are one; the first spelling stays. */
export function readTags(fields: Fields, name = "tags"): string[] {
  const value = fields.value(name);
  const items: unknown[] = Array.isArray(value) ? value : [];
  if (!Array.isArray(value) || items.length > LIMITS.tags) {
    const detail = `a list of at most ${LIMITS.tags} tags`;
    fields.refuse(name, "type", `Expected ${detail}, but got ${items.length || "no list"}`);
    return [];
  }
  const tags = new Map<string, string>();
  for (const [index, item] of items.entries()) {
    const tag = readTag(item);
    if (typeof tag !== "string") fields.refuse(name, tag.code, tag.detail, index);
    else if (!tags.has(foldLabel(tag))) tags.set(foldLabel(tag), tag);
  }
  return [...tags.values()];
}

function readTag(item: unknown): string | Omit<FieldProblem, "pointer"> {
  const what = `a tag of 1 to ${LIMITS.tag} characters`;
  if (typeof item !== "string") return { code: "type", detail: expected(what, item) };
  const tag = item.normalize("NFC").trim();
  if (isBlank(tag)) return { code: "required", detail: expected(what, item) };
  return labelFault(tag, LIMITS.tag) ?? tag;
}

function readDay(fields: Fields): Day | null {
  const value = fields.value("expires");
  if (value === null || (typeof value === "string" && isDay(value))) return value;
  const what = "a day of the calendar as YYYY-MM-DD, or null";
  return fields.refuse("expires", "day", expected(what, value));
}

function readRenewal(fields: Fields): Renewal | null {
  const value = fields.value("renewal");
  if (value === null) return null;
  const inner = new Fields(value, ["minor", "currency", "years"], "/renewal");
  if (inner.problems.length === 0) inner.integer("minor", 0, Number.MAX_SAFE_INTEGER);
  const minor = inner.value("minor");
  const currency = readCurrency(inner);
  const years = isNone(inner, "years") ? null : inner.integer("years", 1, LIMITS.years);
  fields.problems.push(...inner.problems);
  return typeof minor === "number" ? { minor, currency, years } : null;
}

/** Three capitals, as ISO 4217 writes them; which of them exist today is not checked. */
export function readCurrency(inner: Fields): string | null {
  if (isNone(inner, "currency")) return null;
  const value = inner.value("currency");
  if (typeof value === "string" && /^[A-Z]{3}$/.test(value)) return value;
  const what = "a code of ISO 4217 such as EUR, or null";
  return inner.refuse("currency", "currency", expected(what, value));
}

function isNone(fields: Fields, name: string): boolean {
  return !fields.has(name) || fields.value(name) === null;
}
