import {
  type Domain,
  type DomainInput,
  type Money,
  parseDomain,
  DECISIONS,
} from "../../shared/domain.ts";
import {
  fieldsOf,
  IMPORT_FIELD_NAMES,
  type ImportField,
  isImportField,
} from "../../shared/fields.ts";
import { isCurrencyCode } from "../../shared/money.ts";
import {
  expected,
  isRecord,
  list,
  nullable,
  number,
  object,
  type Parsed,
  refuse,
  text,
} from "../../shared/parse.ts";
import { splitTags } from "../../shared/text.ts";
import { FILTERS } from "../../shared/filter.ts";
import { store, readStoredJson } from "../session/session-storage.ts";
import { dayFault } from "../ui/day-box.tsx";
import { formatPrice, parsePrice } from "../ui/money.ts";

/**
 * The contents of the form: each control's text, empty where the value is unknown. The form splits a
 * domain into the same parts as a column of an imported file, so it shares their names and labels. A
 * day is `YYYY-MM-DD`, or what was typed while it is none; custom fields are a list in JSON.
 */
export type DomainValues = Record<ImportField, string>;

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
    custom: customText(
      Object.entries(domain?.custom ?? {}).map(([name, value], id) => ({
        id,
        name,
        text: String(value),
      })),
    ),
    notes: domain?.notes ?? "",
  };
}

/** A custom field while it is typed; `id` only tells it from the others. */
export type CustomField = Parsed<typeof parseCustomField>;

const parseCustomField = object({ id: number, name: text, text });
const parseCustomText = list(parseCustomField);

/** Custom fields as the text of their control; "" for none. */
export function customText(fields: readonly CustomField[]): string {
  return fields.length === 0 ? "" : JSON.stringify(fields);
}

/** Reads `customText` back. */
export function readCustomText(value: string): CustomField[] {
  return value === "" ? [] : parseCustomText(JSON.parse(value));
}

export function changedValues(from: DomainValues, to: DomainValues): ImportField[] {
  return IMPORT_FIELD_NAMES.filter((name) => from[name].trim() !== to[name].trim());
}

/** Amounts, with the control of their currency. */
const AMOUNTS = {
  renewalPrice: "currency",
  purchasePrice: "purchaseCurrency",
  askingPrice: "askingCurrency",
  soldPrice: "soldCurrency",
} as const satisfies Partial<Record<ImportField, ImportField>>;

type Amount = keyof typeof AMOUNTS;

function isAmount(name: string): name is Amount {
  return Object.hasOwn(AMOUNTS, name);
}

/** Fills in the usual currency beside an amount that is being typed. */
export function fillCurrency(values: DomainValues, name: ImportField, usual: string): DomainValues {
  if (!isAmount(name) || values[name].trim() === "") return values;
  return { ...values, [AMOUNTS[name]]: values[AMOUNTS[name]] || usual };
}

const DAYS = ["expires", "registeredOn", "purchasedOn", "soldOn"] as const;

/** Checks what needs no server and differs from `base`. Returns a message for each bad field. */
export function checkValues(values: DomainValues, base: DomainValues): ValueErrors {
  const errors: ValueErrors = {};
  if (!values.name.trim()) errors.name = "Enter a domain, for example example.com.";
  for (const name of DAYS) {
    const fault = dayFault(values[name]);
    if (fault !== null) errors[name] = fault;
  }
  const changed = new Set(changedValues(base, values));
  for (const name of Object.keys(AMOUNTS).filter(isAmount)) {
    const currencyName = AMOUNTS[name];
    const amount = values[name].trim();
    const currency = values[currencyName].trim().toUpperCase();
    if (!changed.has(name) && !changed.has(currencyName)) continue;
    if (amount && !isCurrencyCode(currency)) {
      errors[currencyName] = "Enter the currency in three letters, for example EUR.";
    }
    if (amount && parsePrice(amount, currency) === null) {
      errors[name] = "Enter a number such as 12.50.";
    }
  }
  const years = values.years.trim();
  if (years && !values.renewalPrice.trim()) {
    errors.renewalPrice = "Enter a price, or clear the period.";
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
    if (isImportField(field) && changed.has(field)) input[field] = values[field].trim() || null;
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
    const price = toMoney(values, "renewalPrice");
    input.renewal = price && { ...price, years: Number(values.years) || null };
  }
  for (const field of fieldsOf("money")) {
    if (changed.has(field) || changed.has(AMOUNTS[field])) input[field] = toMoney(values, field);
  }
  if (changed.has("nameservers")) {
    input.nameservers = values.nameservers.split(/[,\s]+/).filter((host) => host !== "");
  }
  if (changed.has("custom")) {
    const fields = readCustomText(values.custom).map((field) => [
      field.name.trim(),
      field.text.trim(),
    ]);
    input.custom = Object.fromEntries(fields.filter((pair) => pair.every((part) => part !== "")));
  }
  return input;
}

function toMoney(values: DomainValues, name: Amount): Money | null {
  const currency = values[AMOUNTS[name]].trim().toUpperCase() || null;
  const minor = parsePrice(values[name], currency);
  return minor === null ? null : { minor, currency };
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
    if (isImportField(name) && typeof value === "string") values[name] = value;
  }
  try {
    readCustomText(values.custom);
  } catch {
    values.custom = "";
  }
  return values;
}
