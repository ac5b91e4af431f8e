import { fieldsOf, importFieldsOf } from "../../../shared/fields.ts";
import { type Filter, parseFilter } from "../../../shared/filter.ts";
import { isRecord, list, nullable, number, object, oneOf, text } from "../../../shared/parse.ts";
import type { BulkOperation } from "../../../shared/register.ts";
import { splitTags } from "../../../shared/text.ts";
import { readCustomText } from "../field-controls.tsx";
import { store, readStoredJson } from "../../session/session-storage.ts";
import type { BulkTarget } from "../../register/domains-api.ts";
import {
  type DomainValues,
  findFaults,
  parseValues,
  setField,
  textsOf,
  toValues,
} from "../domain-values.ts";

/** Fields that the bulk form sets. Tags have controls of their own there. */
const BULK_FIELDS = [
  ...fieldsOf("choice", "flag", "person"),
  ...fieldsOf("label", "expiry", "price", "notes"),
];

export type BulkField = (typeof BULK_FIELDS)[number];

/** Fields that can be cleared by a box; of a choice, "unknown" is one of the options. */
export const CLEARABLE = fieldsOf("label", "expiry", "price", "notes");

export type Clearable = (typeof CLEARABLE)[number];

/**
 * The contents of the bulk form: each control's text, of which one that is left empty changes nothing,
 * and the fields to clear.
 */
export interface BulkValues extends DomainValues {
  addTags: string;
  removeTags: string;
  clear: readonly Clearable[];
}

/** The option of a choice that makes the field unknown; an empty value does not change it. */
export const UNKNOWN = "unknown";

/** The contents of an empty form, which changes nothing. */
export const NO_CHANGE: BulkValues = {
  ...toValues(null),
  addTags: "",
  removeTags: "",
  clear: [],
};

/** Whether anything is filled in, useful or not. */
export function isFilledIn({ clear, ...texts }: BulkValues): boolean {
  return clear.length > 0 || Object.values(texts).some((value) => value.trim() !== "");
}

/** What is wrong with the contents of the form, in a sentence; null if nothing is. */
export function findFault(values: BulkValues): string | null {
  const [fault] = Object.values(findFaults(values, BULK_FIELDS));
  if (fault !== undefined) return fault;
  if (values.currency.trim() !== "" && values.renewalPrice.trim() === "") {
    return "Enter a price, or clear the currency.";
  }
  return toBulkOperation(values) ? null : "Change at least one field.";
}

/** The operation that the form describes; null if it changes nothing. */
export function toBulkOperation(values: BulkValues): BulkOperation | null {
  const edit: Extract<BulkOperation, { kind: "edit" }> = { kind: "edit" };
  for (const field of BULK_FIELDS) {
    const texts = textsOf(values, field);
    const isCleared = CLEARABLE.some((each) => each === field && values.clear.includes(each));
    if (isCleared)
      setField(
        edit,
        field,
        importFieldsOf(field).map(() => ""),
      );
    else if (texts[0]?.trim()) setField(edit, field, texts);
  }
  const addTags = splitTags(values.addTags);
  const removeTags = splitTags(values.removeTags);
  // Of a field without a text the text is removed.
  const custom = readCustomText(values.custom).filter(({ name }) => name.trim() !== "");
  if (custom.length > 0) {
    edit.custom = Object.fromEntries(custom.map(({ name, text: typed }) => [name.trim(), typed]));
  }
  if (addTags.length > 0) edit.addTags = addTags;
  if (removeTags.length > 0) edit.removeTags = removeTags;
  return Object.keys(edit).length > 1 ? edit : null;
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
    const { clear, addTags, removeTags, ...texts } = isRecord(json) ? json : {};
    const tags = { addTags: text(addTags), removeTags: text(removeTags) };
    return { ...parseValues(texts), ...tags, clear: list(oneOf(CLEARABLE))(clear) };
  },
});
