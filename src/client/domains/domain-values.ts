import type { Decision, Domain, DomainInput, Renewal } from "../../shared/contract.ts";
import { decisions } from "../../shared/domain-json.ts";
import { toTags } from "../../shared/tags.ts";
import { formatPrice, parsePrice } from "../ui/money.ts";

/** The fields of the form, in its order, and what they are called. */
export const labels = {
  name: "Domain name",
  registrar: "Registrar",
  account: "Account at the registrar",
  owner: "Owner",
  expires: "Expires on",
  autoRenew: "Auto-renew",
  decision: "Decision",
  price: "Price",
  currency: "Currency",
  years: "Years",
  tags: "Tags",
  notes: "Notes",
} as const;

export type ValueName = keyof typeof labels;

/** What the form holds: every field as the text that is typed or chosen, empty where unknown. */
export type DomainValues = Record<ValueName, string>;

export type ValueErrors = Partial<Record<ValueName, string>>;

/** The names of every field, in the order of the form. */
export const valueNames: readonly ValueName[] = Object.keys(labels).filter(isValueName);

/** Whether a text names a field of the form. */
export function isValueName(text: string): text is ValueName {
  return Object.hasOwn(labels, text);
}

/** What the form shows for a domain, or for none yet. */
export function toValues(domain: Domain | null): DomainValues {
  const renewal = domain?.renewal ?? null;
  return {
    name: domain?.unicode ?? "",
    registrar: domain?.registrar ?? "",
    account: domain?.account ?? "",
    owner: domain?.owner ?? "",
    expires: domain?.expires?.date ?? "",
    autoRenew: domain === null || domain.autoRenew === null ? "" : String(domain.autoRenew),
    decision: domain?.decision ?? "",
    price: renewal ? formatPrice(renewal) : "",
    currency: renewal?.currency ?? "",
    years: renewal?.years ? String(renewal.years) : "",
    tags: domain?.tags.join(", ") ?? "",
    notes: domain?.notes ?? "",
  };
}

/** Which fields differ. */
export function changedValues(from: DomainValues, to: DomainValues): ValueName[] {
  return valueNames.filter((name) => from[name].trim() !== to[name].trim());
}

/** What can be told to be wrong without asking the server. */
export function checkValues(values: DomainValues): ValueErrors {
  const errors: ValueErrors = {};
  const { price, years } = values;
  const currency = values.currency.trim().toUpperCase();
  if (!values.name.trim()) errors.name = "Write the name, such as example.com.";
  if (currency && !/^[A-Z]{3}$/.test(currency)) {
    errors.currency = "Three letters, such as EUR.";
  } else if (price.trim() && parsePrice(price, currency || null) === null) {
    errors.price = "A number such as 12.50, without a currency.";
  } else if (!price.trim() && (currency || years.trim())) {
    errors.price = "Write the price too, or leave all three empty.";
  }
  if (years.trim() && !/^([1-9]\d?|100)$/.test(years.trim())) errors.years = "From 1 to 100.";
  return errors;
}

/** What to send: the fields that differ from `base`. The values have passed `checkValues`. */
export function toInput(values: DomainValues, base: DomainValues): DomainInput {
  const changed = new Set(changedValues(base, values));
  const text = (name: ValueName) => values[name].trim() || null;
  const input: DomainInput = {};
  if (changed.has("name")) input.name = values.name.trim();
  if (changed.has("registrar")) input.registrar = text("registrar");
  if (changed.has("account")) input.account = text("account");
  if (changed.has("owner")) input.owner = text("owner");
  if (changed.has("expires")) input.expires = text("expires");
  if (changed.has("autoRenew"))
    input.autoRenew = values.autoRenew ? values.autoRenew === "true" : null;
  if (changed.has("decision")) input.decision = toDecision(values.decision);
  if (changed.has("tags")) input.tags = toTags(values.tags);
  if (changed.has("notes")) input.notes = values.notes.trim();
  if (changed.has("price") || changed.has("currency") || changed.has("years")) {
    input.renewal = toRenewal(values);
  }
  return input;
}

function toDecision(text: string): Decision | null {
  return decisions.find((decision) => decision === text) ?? null;
}

function toRenewal({ price, currency, years }: DomainValues): Renewal | null {
  const code = currency.trim().toUpperCase() || null;
  const minor = parsePrice(price, code);
  return minor === null ? null : { minor, currency: code, years: Number(years) || null };
}

/** What was changed from `before` to `mine`, put upon `now`. */
export function mergeValues(
  before: DomainValues,
  mine: DomainValues,
  now: DomainValues,
): DomainValues {
  const merged = { ...now };
  for (const name of changedValues(before, mine)) merged[name] = mine[name];
  return merged;
}
