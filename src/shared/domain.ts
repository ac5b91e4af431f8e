import { SEVERITIES } from "./check-summary.ts";
import { FIELD_NAMES, FIELDS, kindsByField, type Field, type FieldKind } from "./fields.ts";
import {
  boolean,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  orElse,
  record,
  text,
  type Parsed,
  type Parser,
} from "./parse.ts";

/** What can be decided about a domain, in the order in which it is offered. */
export const DECISIONS = ["keep", "watch", "transfer", "drop"] as const;
export type Decision = (typeof DECISIONS)[number];

export const DECISION_LABELS = {
  keep: "Keep",
  watch: "Watch",
  transfer: "Transfer",
  drop: "Drop",
  "-": "Undecided",
} as const satisfies Record<Decision | "-", string>;

/** What a registrar's own word for the status of a domain can mean; any other word is unknown. */
export const REGISTRAR_STATUSES = [
  "active",
  "cancelled",
  "on-hold",
  "redemption",
  "transferring-in",
  "transferring-out",
  "pending-delete",
] as const;
export type RegistrarStatus = (typeof REGISTRAR_STATUSES)[number];

const moneyShape = {
  minor: integer(0, Number.MAX_SAFE_INTEGER),
  currency: orElse(text, null),
} as const;

/** `minor` counts the currency's smallest unit; `currency` is ISO 4217, null if the source names none. */
export type Money = Parsed<typeof parseMoney>;

export const parseMoney = object(moneyShape);

export type Renewal = Parsed<typeof parseRenewal>;

export const parseRenewal = object({ ...moneyShape, years: orElse(number, null) });

/** With `conflict`, `alternatives` has the other day of each source, the newest report first. */
export type Expiry = Parsed<typeof parseExpiry>;

const parseExpiry = object({
  date: text,
  source: text,
  observedAt: text,
  conflict: boolean,
  alternatives: orElse(list(object({ date: text, source: text, observedAt: text })), []),
});

/** No reminders until a day, or, if null, until the expiry, to act by `expiresOn`, moves. */
export type Handled = Parsed<typeof parseHandled>;

const parseHandled = object({
  expiresOn: text,
  until: nullable(text),
  /** The name of that time of a person, or the target of a channel. */
  by: text,
  byId: optional(nullable(text)),
  at: text,
});

export type NamedPerson = Parsed<typeof parseNamedPerson>;

const parseNamedPerson = object({ id: text, name: text });

/** `GET /api/people/names`: all with an account, by name. */
export const parsePeopleNames = object({ items: list(parseNamedPerson) });

/** What each kind of field holds; a value that this version does not know counts as unknown. */
const BY_KIND = {
  name: text,
  label: orElse(text, null),
  status: orElse(text, null),
  person: orElse(parseNamedPerson, null),
  tags: list(text),
  choice: orElse(oneOf(DECISIONS), null),
  flag: orElse(boolean, null),
  expiry: nullable(parseExpiry),
  day: orElse(text, null),
  price: nullable(parseRenewal),
  money: orElse(parseMoney, null),
  hosts: orElse(list(text), []),
  notes: orElse(text, ""),
  handled: orElse(nullable(parseHandled), null),
  custom: orElse(record(text), {}),
} as const satisfies Record<FieldKind, Parser<unknown>>;

const UNKNOWN_BY_KIND: { readonly [K in FieldKind]?: Parsed<(typeof BY_KIND)[K]> } = {
  tags: [],
  hosts: [],
  notes: "",
  custom: {},
};

export const FIELD_PARSERS = kindsByField(BY_KIND);

export const domainShape = {
  id: text,
  version: integer(0, Number.MAX_SAFE_INTEGER),
  unicode: text,
  ...FIELD_PARSERS,
  /** What its registrar lists for its TLD, where `renewal` is null. */
  listPrice: orElse(parseRenewal, null),
  /** What `status`, the registrar's own word, means; null where it is unknown. */
  statusMeaning: orElse(oneOf(REGISTRAR_STATUSES), null),
  /** Of its worst finding. */
  severity: orElse(oneOf(SEVERITIES), null),
  /** That finding in a word or two; of low severity, and where sources disagree on the expiry, null. */
  alert: orElse(text, null),
  findingCodes: orElse<readonly string[], readonly string[]>(list(text), []),
  createdAt: text,
  updatedAt: text,
} as const;

/** `name` is the lower-case A-label form, `unicode` for people. Null is "unknown". */
export type Domain = Parsed<typeof parseDomain>;

export const parseDomain = object(domainShape);

/** What a write answers: the domain, and the operation that undoes it; null: nothing changed. */
export type SavedDomain = Parsed<typeof parseSavedDomain>;

export const parseSavedDomain = object({ ...domainShape, operation: orElse(text, null) });

export const UNKNOWN_VALUES: Readonly<Omit<Domain, "id" | "version" | "unicode" | "name">> = {
  // Made of all fields, each with what its kind holds then.
  ...(Object.fromEntries(
    FIELD_NAMES.map((field) => [field, UNKNOWN_BY_KIND[FIELDS[field].kind] ?? null]),
  ) as Pick<Domain, Field>),
  listPrice: null,
  statusMeaning: null,
  severity: null,
  alert: null,
  findingCodes: [],
  createdAt: "",
  updatedAt: "",
};

/** One page of `GET /api/domains`. `next` goes into `after`; `total` counts every match. */
export type DomainPage = Parsed<typeof parseDomainPage>;

export const parseDomainPage = object({
  items: list(parseDomain),
  next: nullable(text),
  total: number,
});

/**
 * `POST /api/domains` (only `name` is required) and `PATCH /api/domains/:id` (lists and custom
 * fields are replaced as a whole). A day in `expires` is set by hand and outranks every source;
 * null withdraws it.
 */
export type DomainInput = Partial<
  Pick<Domain, Exclude<Field, "expires" | "handled" | "person">> & {
    expires: string | null;
    person: string | null;
  }
>;
