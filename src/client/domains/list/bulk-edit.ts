import { fieldsOf, importFieldsOf } from "../../../shared/fields.ts";
import { type Filter, parseFilter } from "../../../shared/filter.ts";
import * as p from "../../../shared/parse.ts";
import type { BulkOperation } from "../../../shared/register.ts";
import { splitTags } from "../../../shared/text.ts";
import { readCustomText } from "../form/field-controls.tsx";
import { store, readStoredJson } from "../../session/session-storage.ts";
import type { BulkTarget } from "../../register/domains-api.ts";
import {
  type DomainValues,
  findFaults,
  parseValues,
  setField,
  textsOf,
  toValues,
} from "../form/domain-values.ts";

/** Fields of the bulk form, besides tags. */
const BULK_FIELDS = [
  ...fieldsOf("choice", "flag", "person"),
  ...fieldsOf("label", "expiry", "price", "notes"),
];

export type BulkField = (typeof BULK_FIELDS)[number];

/** Fields with a box that clears them. Choices have the option "unknown" instead. */
export const CLEARABLE = fieldsOf("label", "expiry", "price", "notes");

export type Clearable = (typeof CLEARABLE)[number];

/** The texts of the bulk form, empty for no change, and the fields to clear. */
export interface BulkValues extends DomainValues {
  addTags: string;
  removeTags: string;
  clear: readonly Clearable[];
}

/** The option that makes a field unknown; the empty one does not change it. */
export const UNKNOWN = "unknown";

export const NO_CHANGE: BulkValues = {
  ...toValues(null),
  addTags: "",
  removeTags: "",
  clear: [],
};

export function isFilledIn({ clear, ...texts }: BulkValues): boolean {
  return clear.length > 0 || Object.values(texts).some((value) => value.trim() !== "");
}

/** A sentence about what is wrong in the form; null: nothing. */
export function findFault(values: BulkValues): string | null {
  const [fault] = Object.values(findFaults(values, NO_CHANGE, BULK_FIELDS));
  if (fault !== undefined) return fault;
  return toBulkOperation(values) ? null : "Change at least one field.";
}

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
  // A field without a text is removed.
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

export function storeBulkDraft(draft: BulkDraft | null): void {
  store(DRAFT_KEY, draft && JSON.stringify(draft));
}

export function readBulkDraft(filter: Filter): BulkDraft | null {
  const draft = readStoredJson(DRAFT_KEY, parseDraft);
  return JSON.stringify(draft?.target.filter) === JSON.stringify(filter) ? draft : null;
}

const parseDraft = p.object({
  target: p.object({
    filter: (json) => parseFilter(Object.entries(p.isRecord(json) ? json : {})).filter,
    ids: p.nullable(p.list(p.text)),
    count: p.number,
  }),
  values: (json) => {
    const { clear, addTags, removeTags, ...texts } = p.isRecord(json) ? json : {};
    const tags = { addTags: p.text(addTags), removeTags: p.text(removeTags) };
    return { ...parseValues(texts), ...tags, clear: p.list(p.oneOf(CLEARABLE))(clear) };
  },
});
