import { type Domain, type DomainInput, parseDomain, DECISIONS } from "../../shared/domain.ts";
import {
  fieldsOf,
  IMPORT_FIELD_NAMES,
  type ImportField,
  isImportField,
} from "../../shared/fields.ts";
import { expected, isRecord, nullable, object, refuse } from "../../shared/parse.ts";
import { splitTags } from "../../shared/text.ts";
import { FILTERS } from "../../shared/filter.ts";
import { store, readStoredJson } from "../session/session-storage.ts";
import { formatPrice, parsePrice } from "../ui/money.ts";

/**
 * The contents of the form: each control's text, empty where the value is unknown. The form splits a
 * domain into the same parts as a column of an imported file, so it shares their names and labels.
 */
export type DomainValues = Record<FormField, string>;

/** A control of the form. Custom fields have none yet. */
export type FormField = Exclude<ImportField, "custom">;

const FORM_FIELDS = IMPORT_FIELD_NAMES.filter((name) => name !== "custom");

/** Whether a text names a control of the form. */
export function isFormField(text: string): text is FormField {
  return isImportField(text) && text !== "custom";
}

export type ValueErrors = Partial<DomainValues>;

/** Options of a choice: the control's value, empty for unknown, and what a person reads. */
export type Options = readonly (readonly [value: string, label: string])[];

const { choices: decisions } = FILTERS.decision;
const { choices: autoRenew } = FILTERS.autoRenew;

const FLAG = [
  ["", autoRenew["-"]],
  ["true", autoRenew.true],
  ["false", autoRenew.false],
] as const;

export const CHOICES = {
  decision: [["", decisions["-"]], ...DECISIONS.map((each) => [each, decisions[each]] as const)],
  autoRenew: FLAG,
  locked: FLAG,
  privacy: FLAG,
} as const satisfies Record<string, Options>;

/** The form's contents for a domain; null gives an empty form. */
export function toValues(domain: Domain | null): DomainValues {
  const renewal = domain?.renewal;
  return {
    name: domain?.unicode ?? "",
    registrar: domain?.registrar ?? "",
    account: domain?.account ?? "",
    owner: domain?.owner ?? "",
    expires: domain?.expires?.date ?? "",
    autoRenew: String(domain?.autoRenew ?? ""),
    locked: String(domain?.locked ?? ""),
    privacy: String(domain?.privacy ?? ""),
    decision: domain?.decision ?? "",
    renewalPrice: renewal ? formatPrice(renewal) : "",
    currency: renewal?.currency ?? "",
    years: String(renewal?.years ?? ""),
    tags: domain?.tags.join(", ") ?? "",
    registeredOn: domain?.registeredOn ?? "",
    status: domain?.status ?? "",
    nameservers: domain?.nameservers.join(", ") ?? "",
    purchasePrice: domain?.purchasePrice ? formatPrice(domain.purchasePrice) : "",
    purchaseCurrency: domain?.purchasePrice?.currency ?? "",
    purchasedOn: domain?.purchasedOn ?? "",
    askingPrice: domain?.askingPrice ? formatPrice(domain.askingPrice) : "",
    askingCurrency: domain?.askingPrice?.currency ?? "",
    soldPrice: domain?.soldPrice ? formatPrice(domain.soldPrice) : "",
    soldCurrency: domain?.soldPrice?.currency ?? "",
    soldOn: domain?.soldOn ?? "",
    notes: domain?.notes ?? "",
  };
}

export function changedValues(from: DomainValues, to: DomainValues): FormField[] {
  return FORM_FIELDS.filter((name) => from[name].trim() !== to[name].trim());
}

/** Checks what needs no server. Returns a message for each bad field. */
export function checkValues(values: DomainValues): ValueErrors {
  const errors: ValueErrors = {};
  const price = values.renewalPrice.trim();
  const currency = values.currency.trim().toUpperCase();
  const years = values.years.trim();
  if (!values.name.trim()) errors.name = "Enter a domain, for example example.com.";
  if (currency && !/^[A-Z]{3}$/.test(currency)) {
    errors.currency = "Enter three letters, for example EUR.";
  } else if (price && parsePrice(price, currency || null) === null) {
    errors.renewalPrice = "Enter a number such as 12.50.";
  } else if (!price && (currency || years)) {
    errors.renewalPrice = "Enter a price, or clear the currency and period.";
  }
  if (years && !/^([1-9]\d?|100)$/.test(years)) errors.years = "Enter a number from 1 to 100.";
  return errors;
}

/** The request body: the fields that differ from `base`. The values must have passed `checkValues`. */
export function toInput(values: DomainValues, base: DomainValues): DomainInput {
  const changed = new Set(changedValues(base, values));
  const input: DomainInput = {};
  if (changed.has("name")) input.name = values.name.trim();
  for (const field of fieldsOf("label", "text", "day")) {
    if (isFormField(field) && changed.has(field)) input[field] = values[field].trim() || null;
  }
  if (changed.has("expires")) input.expires = values.expires || null;
  for (const field of fieldsOf("flag")) {
    if (changed.has(field)) input[field] = values[field] ? values[field] === "true" : null;
  }
  if (changed.has("decision")) {
    input.decision = DECISIONS.find((decision) => decision === values.decision) ?? null;
  }
  if (changed.has("tags")) input.tags = splitTags(values.tags);
  if (changed.has("notes")) input.notes = values.notes.trim();
  if (changed.has("renewalPrice") || changed.has("currency") || changed.has("years")) {
    const currency = values.currency.trim().toUpperCase() || null;
    const minor = parsePrice(values.renewalPrice, currency);
    input.renewal =
      minor === null ? null : { minor, currency, years: Number(values.years) || null };
  }
  return input;
}

/** Applies the edits from `before` to `mine` on top of `current`. */
export function mergeValues(before: DomainValues, mine: DomainValues, current: DomainValues) {
  const merged = { ...current };
  for (const name of changedValues(before, mine)) merged[name] = mine[name];
  return merged;
}

/** Unsaved contents of the form; `base` is the version being edited, null for a new domain. */
export interface Draft {
  base: Domain | null;
  values: DomainValues;
}

const DRAFT_KEY = "domain-draft";

export const EMPTY_DRAFT: Draft = { base: null, values: toValues(null) };

/** Stores the draft in session storage, to survive a reload; null deletes it. */
export function storeDraft(draft: Draft | null): void {
  store(DRAFT_KEY, draft && JSON.stringify(draft));
}

/** Reads the draft from session storage; null if there is none. */
export function readDraft(): Draft | null {
  return readStoredJson(DRAFT_KEY, parseDraft);
}

const parseDraft = object({ base: nullable(parseDomain), values: parseValues });

function parseValues(json: unknown): DomainValues {
  if (!isRecord(json)) return refuse("type", expected("an object", json));
  const values = toValues(null);
  for (const [name, value] of Object.entries(json)) {
    if (isFormField(name) && typeof value === "string") values[name] = value;
  }
  return values;
}
