import { DECISIONS } from "../../../shared/domain.ts";
import { fieldsOf } from "../../../shared/fields.ts";
import { isRecord, list, nullable, number, object, oneOf, text } from "../../../shared/parse.ts";
import type { BulkOperation, BulkSelection } from "../../../shared/register.ts";
import { splitTags } from "../../../shared/text.ts";
import { type Filter, parseFilter } from "../../../shared/filter.ts";
import { store, readStoredJson } from "../../session/session-storage.ts";
import { localToday } from "../../ui/today.ts";
import { dayFault } from "../../ui/day-box.tsx";
import { parsePrice } from "../../ui/money.ts";

/** Controls of the bulk form; one that is left empty changes nothing. */
export const BULK_CONTROLS = [
  ...fieldsOf("label", "choice", "flag"),
  "renewalPrice",
  "currency",
  "years",
  "expires",
  "addTags",
  "removeTags",
  "notes",
] as const;

export type BulkControl = (typeof BULK_CONTROLS)[number];

/** Fields that can be cleared by a box; of a choice, "unknown" is one of the options. */
export const CLEARABLE = [...fieldsOf("label"), "renewal", "expires", "notes"] as const;

export type Clearable = (typeof CLEARABLE)[number];

/** The contents of the bulk form: each control's text, and the fields to clear. */
export interface BulkValues extends Record<BulkControl, string> {
  clear: readonly Clearable[];
}

/** The option of a choice that makes the field unknown; an empty value does not change it. */
export const UNKNOWN = "unknown";

/** The contents of an empty form, which changes nothing. */
export const NO_CHANGE: BulkValues = toBulkValues(() => "", []);

function toBulkValues(read: (name: BulkControl) => string, clear: readonly Clearable[]) {
  const texts = Object.fromEntries(BULK_CONTROLS.map((name) => [name, read(name)]));
  // Made of all controls.
  return { ...(texts as Record<BulkControl, string>), clear };
}

/** Whether anything is filled in, useful or not. */
export function isFilledIn({ clear, ...texts }: BulkValues): boolean {
  return clear.length > 0 || Object.values(texts).some((value) => value.trim() !== "");
}

/** What is wrong with the contents of the form, in a sentence; null if nothing is. */
export function findFault(values: BulkValues): string | null {
  const price = values.renewalPrice.trim();
  const currency = values.currency.trim().toUpperCase();
  const years = values.years.trim();
  if (currency && !/^[A-Z]{3}$/.test(currency)) {
    return "Enter the currency as three letters, for example EUR.";
  }
  if (years && !/^([1-9]\d?|100)$/.test(years)) return "Enter a period from 1 to 100 years.";
  if (!price && (currency || years)) return "Enter a price, or clear the currency and period.";
  if (price && parsePrice(price, currency || null) === null) {
    return "Enter the price as a number such as 12.50.";
  }
  const fault = dayFault(values.expires);
  if (fault !== null) return fault;
  return toBulkOperation(values) ? null : "Change at least one field.";
}

/** The operation that the form describes; null if it changes nothing. */
export function toBulkOperation(values: BulkValues): BulkOperation | null {
  const edit: Extract<BulkOperation, { kind: "edit" }> = { kind: "edit" };
  for (const field of fieldsOf("label")) {
    const value = values[field].trim();
    if (values.clear.includes(field)) edit[field] = null;
    else if (value) edit[field] = value;
  }
  for (const field of fieldsOf("flag")) {
    const value = values[field];
    if (value) edit[field] = value === UNKNOWN ? null : value === "true";
  }
  const { decision, expires, notes } = values;
  if (decision) edit.decision = DECISIONS.find((known) => known === decision) ?? null;
  const currency = values.currency.trim().toUpperCase() || null;
  const minor = parsePrice(values.renewalPrice, currency);
  if (values.clear.includes("renewal")) edit.renewal = null;
  else if (minor !== null) edit.renewal = { minor, currency, years: Number(values.years) || null };
  if (values.clear.includes("expires")) edit.expires = null;
  else if (expires) edit.expires = expires;
  if (values.clear.includes("notes")) edit.notes = "";
  else if (notes.trim()) edit.notes = notes.trim();
  const addTags = splitTags(values.addTags);
  const removeTags = splitTags(values.removeTags);
  if (addTags.length > 0) edit.addTags = addTags;
  if (removeTags.length > 0) edit.removeTags = removeTags;
  return Object.keys(edit).length > 1 ? edit : null;
}

/** The domains that a bulk change applies to, as they were when its dialog opened. */
export interface BulkTarget {
  filter: Filter;
  /** Null: every domain that matches the filter, loaded or not. */
  ids: readonly string[] | null;
  /** How many domains that was. */
  count: number;
}

/** The target as a request names it. */
export function toBulkSelection({ filter, ids, count }: BulkTarget): BulkSelection {
  return ids ? { ids: [...ids] } : { filter, today: localToday(), expectedCount: count };
}

export interface BulkDraft {
  target: BulkTarget;
  values: BulkValues;
}

const DRAFT_KEY = "bulk-draft";

/** Stores the draft in session storage, to survive a reload; null deletes it. */
export function storeBulkDraft(draft: BulkDraft | null): void {
  store(DRAFT_KEY, draft && JSON.stringify(draft));
}

/** Reads the draft from session storage; null if there is none for this filter. */
export function readBulkDraft(filter: Filter): BulkDraft | null {
  const draft = readStoredJson(DRAFT_KEY, parseDraft);
  return JSON.stringify(draft?.target.filter) === JSON.stringify(filter) ? draft : null;
}

const parseDraft = object({
  target: object({
    filter: (json) => parseFilter(Object.entries(isRecord(json) ? json : {})).filter,
    ids: nullable(list(text)),
    count: number,
  }),
  values: (json) => {
    const { clear, ...texts } = isRecord(json) ? json : {};
    const read = (name: BulkControl) => {
      const value = texts[name];
      return typeof value === "string" ? value : "";
    };
    return toBulkValues(read, list(oneOf(CLEARABLE))(clear));
  },
});
