import {
  type Domain,
  type DomainInput,
  parseDomain,
  UNKNOWN_VALUES,
} from "../../../shared/domain.ts";
import {
  FIELD_NAMES,
  fieldsOf,
  IMPORT_FIELD_NAMES,
  type ImportField,
  importFieldsOf,
  isImportField,
} from "../../../shared/fields.ts";
import * as p from "../../../shared/parse.ts";
import { readStoredJson, store } from "../../session/session-storage.ts";
import { readCustomText } from "./field-controls.tsx";
import { type DomainFormField, FORM_KIND_OF } from "./field-kinds.tsx";

/**
 * The texts of the form's controls. A domain is split like a row of an imported file, so names and
 * labels are those of its columns.
 */
export type DomainValues = Record<ImportField, string>;

export type ValueErrors = Partial<DomainValues>;

export const FORM_FIELDS = FIELD_NAMES.filter(
  (field): field is DomainFormField => importFieldsOf(field).length > 0,
);

const NO_DOMAIN: Domain = { ...UNKNOWN_VALUES, id: "", version: 0, name: "", unicode: "" };

/** The form's texts for a domain; null: an empty form. */
export function toValues(domain: Domain | null): DomainValues {
  const pairs = <F extends DomainFormField>(field: F) => {
    const texts = FORM_KIND_OF[field].texts((domain ?? NO_DOMAIN)[field], domain ?? NO_DOMAIN);
    return importFieldsOf(field).map((name, index) => [name, texts[index] ?? ""]);
  };
  return Object.fromEntries(FORM_FIELDS.flatMap(pairs)) as DomainValues; // Of all fields.
}

export function textsOf(values: DomainValues, field: DomainFormField): string[] {
  return importFieldsOf(field).map((name) => values[name]);
}

export function changedValues(from: DomainValues, to: DomainValues): ImportField[] {
  return IMPORT_FIELD_NAMES.filter((name) => from[name].trim() !== to[name].trim());
}

export function changedFields(from: DomainValues, to: DomainValues): DomainFormField[] {
  const changed = changedValues(from, to);
  return FORM_FIELDS.filter((field) =>
    importFieldsOf(field).some((name) => changed.includes(name)),
  );
}

/** Fills in the usual currency beside a typed amount, and takes it away with the amount. */
export function fillCurrency(values: DomainValues, name: ImportField, usual: string): DomainValues {
  for (const field of fieldsOf("price", "money")) {
    const [amount, currency] = importFieldsOf(field);
    if (amount !== name || currency === undefined) continue;
    const [from, to] = values[name].trim() === "" ? [usual, ""] : ["", usual];
    return values[currency] === from ? { ...values, [currency]: to } : values;
  }
  return values;
}

export function findFaults(
  values: DomainValues,
  base: DomainValues,
  fields: readonly DomainFormField[],
): ValueErrors {
  const errors: ValueErrors = {};
  for (const field of fields) {
    const faults = FORM_KIND_OF[field].faults?.(textsOf(values, field), textsOf(base, field)) ?? [];
    for (const [index, name] of importFieldsOf(field).entries()) {
      const fault = faults[index] ?? null;
      if (fault !== null) errors[name] = fault;
    }
  }
  return errors;
}

/** Checks the name and what differs from `base`, as far as that needs no server. */
export function checkValues(values: DomainValues, base: DomainValues): ValueErrors {
  return findFaults(values, base, [
    ...new Set<DomainFormField>(["name", ...changedFields(base, values)]),
  ]);
}

/** The request body: fields that differ from `base`. The values have passed `checkValues`. */
export function toInput(values: DomainValues, base: DomainValues): DomainInput {
  const input: DomainInput = {};
  for (const field of changedFields(base, values)) setField(input, field, textsOf(values, field));
  return input;
}

export function setField<F extends DomainFormField>(
  input: Pick<DomainInput, F>,
  field: F,
  texts: readonly string[],
): void {
  input[field] = FORM_KIND_OF[field].input(texts);
}

export function valueInWords(name: ImportField, values: DomainValues): string {
  const field = FORM_FIELDS.find((each) => importFieldsOf(each).includes(name));
  const { inWords = (value: string) => value } = field === undefined ? {} : FORM_KIND_OF[field];
  return inWords(values[name]) || "empty";
}

/** Applies the edits from `before` to `mine` on top of `current`, those of a price as a whole. */
export function mergeValues(before: DomainValues, mine: DomainValues, current: DomainValues) {
  const merged = { ...current };
  const edited = changedFields(before, mine).flatMap(importFieldsOf);
  for (const name of edited) merged[name] = mine[name];
  return merged;
}

/** Unsaved contents of the form; `base` is the edited version, null for a new domain. */
export interface Draft {
  base: Domain | null;
  values: DomainValues;
}

const DRAFT_KEY = "domain-draft";

export function storeDraft(draft: Draft | null): void {
  store(DRAFT_KEY, draft && JSON.stringify(draft));
}

export function readDraft(): Draft | null {
  return readStoredJson(DRAFT_KEY, parseDraft);
}

const parseDraft = p.object({ base: p.nullable(parseDomain), values: parseValues });

/** Reads a form from storage; unknown or malformed values are empty. */
export function parseValues(json: unknown): DomainValues {
  if (!p.isRecord(json)) return p.refuse("type", p.expected("an object", json));
  const values = toValues(null);
  for (const [name, value] of Object.entries(json)) {
    if (isImportField(name) && typeof value === "string") values[name] = value;
  }
  try {
    readCustomText(values.custom);
  } catch {
    values.custom = "";
  }
  return values;
}
