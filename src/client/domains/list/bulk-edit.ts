import { DECISIONS } from "../../../shared/domain.ts";
import { fieldsOf, type FieldOf } from "../../../shared/fields.ts";
import { isRecord, list, nullable, number, object, oneOf, text } from "../../../shared/parse.ts";
import type { BulkOperation } from "../../../shared/register.ts";
import { splitTags } from "../../../shared/text.ts";
import { type Filter, parseFilter } from "../../../shared/filter.ts";
import { store, readStoredJson } from "../../session/session-storage.ts";

/** Text fields of the bulk form; one that is left empty is not changed. */
export const BULK_TEXT_FIELDS = fieldsOf("label");

export type BulkTextField = FieldOf<"label">;
export type BulkControl = BulkTextField | "decision" | "autoRenew" | "addTags" | "removeTags";

/** The contents of the bulk form: each control's text, and the fields to clear. */
export interface BulkValues extends Record<BulkControl, string> {
  clear: readonly BulkTextField[];
}

/** The option of a choice that makes the field unknown; an empty value does not change it. */
export const UNKNOWN = "unknown";

/** The contents of an empty form, which changes nothing. */
export const NO_CHANGE: BulkValues = {
  registrar: "",
  account: "",
  owner: "",
  decision: "",
  autoRenew: "",
  addTags: "",
  removeTags: "",
  clear: [],
};

/** Whether anything is filled in, useful or not. */
export function isFilledIn({ clear, ...texts }: BulkValues): boolean {
  return clear.length > 0 || Object.values(texts).some((value) => value.trim() !== "");
}

/** The operation that the form describes; null if it changes nothing. */
export function toBulkOperation(values: BulkValues): BulkOperation | null {
  const edit: Extract<BulkOperation, { kind: "edit" }> = { kind: "edit" };
  for (const field of BULK_TEXT_FIELDS) {
    const value = values[field].trim();
    if (values.clear.includes(field)) edit[field] = null;
    else if (value) edit[field] = value;
  }
  const { decision, autoRenew } = values;
  if (decision) edit.decision = DECISIONS.find((known) => known === decision) ?? null;
  if (autoRenew) edit.autoRenew = autoRenew === UNKNOWN ? null : autoRenew === "true";
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
  values: object({
    registrar: text,
    account: text,
    owner: text,
    decision: text,
    autoRenew: text,
    addTags: text,
    removeTags: text,
    clear: list(oneOf(BULK_TEXT_FIELDS)),
  }),
});
