import { SEVERITIES } from "./check-summary.ts";
import { FIELD_NAMES, FIELDS, kindsByField, type Field, type FieldKind } from "./fields.ts";
import * as p from "./parse.ts";

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
  minor: p.integer(0, Number.MAX_SAFE_INTEGER),
  currency: p.orElse(p.text, null),
} as const;

/** `minor` counts the currency's smallest unit; `currency` is ISO 4217, null if the source names none. */
export type Money = p.Parsed<typeof parseMoney>;

export const parseMoney = p.object(moneyShape);

export type Renewal = p.Parsed<typeof parseRenewal>;

export const parseRenewal = p.object({ ...moneyShape, years: p.orElse(p.number, null) });

/** With `conflict`, `alternatives` has the other day of each source, the newest report first. */
export type Expiry = p.Parsed<typeof parseExpiry>;

const reportShape = { date: p.text, source: p.text, observedAt: p.text } as const;
const parseExpiry = p.object({
  ...reportShape,
  conflict: p.boolean,
  alternatives: p.orElse(p.list(p.object(reportShape)), []),
});

/** No reminders until a day, or, if null, until the expiry, to act by `expiresOn`, moves. */
export type Handled = p.Parsed<typeof parseHandled>;

const parseHandled = p.object({
  expiresOn: p.text,
  until: p.nullable(p.text),
  /** The name of that time of a person, or the target of a channel. */
  by: p.text,
  byId: p.optional(p.nullable(p.text)),
  at: p.text,
});

export type NamedPerson = p.Parsed<typeof parseNamedPerson>;

const parseNamedPerson = p.object({ id: p.text, name: p.text });

/** `GET /api/people/names`: all with an account, by name. */
export const parsePeopleNames = p.object({ items: p.list(parseNamedPerson) });

/** What each kind of field holds; a value that this version does not know counts as unknown. */
const BY_KIND = {
  name: p.text,
  label: p.orElse(p.text, null),
  status: p.orElse(p.text, null),
  person: p.orElse(parseNamedPerson, null),
  tags: p.list(p.text),
  choice: p.orElse(p.oneOf(DECISIONS), null),
  flag: p.orElse(p.boolean, null),
  expiry: p.nullable(parseExpiry),
  day: p.orElse(p.text, null),
  price: p.nullable(parseRenewal),
  money: p.orElse(parseMoney, null),
  hosts: p.orElse(p.list(p.text), []),
  notes: p.orElse(p.text, ""),
  handled: p.orElse(p.nullable(parseHandled), null),
  custom: p.orElse(p.record(p.text), {}),
} as const satisfies Record<FieldKind, p.Parser<unknown>>;

const UNKNOWN_BY_KIND: { readonly [K in FieldKind]?: p.Parsed<(typeof BY_KIND)[K]> } = {
  tags: [],
  hosts: [],
  notes: "",
  custom: {},
};

export const FIELD_PARSERS = kindsByField(BY_KIND);

export const domainShape = {
  id: p.text,
  version: p.integer(0, Number.MAX_SAFE_INTEGER),
  unicode: p.text,
  ...FIELD_PARSERS,
  /** What its registrar lists for its TLD, where `renewal` is null. */
  listPrice: p.orElse(parseRenewal, null),
  /** What `status`, the registrar's own word, means; null where it is unknown. */
  statusMeaning: p.orElse(p.oneOf(REGISTRAR_STATUSES), null),
  /** Of its worst finding. */
  severity: p.orElse(p.oneOf(SEVERITIES), null),
  /** That finding in a word or two; of low severity, and where sources disagree on the expiry, null. */
  alert: p.orElse(p.text, null),
  findingCodes: p.orElse<readonly string[], readonly string[]>(p.list(p.text), []),
  createdAt: p.text,
  updatedAt: p.text,
} as const;

/** `name` is the lower-case A-label form, `unicode` for people. Null is "unknown". */
export type Domain = p.Parsed<typeof parseDomain>;

export const parseDomain = p.object(domainShape);

/** What a write answers: the domain, and the operation that undoes it; null: nothing changed. */
export type SavedDomain = p.Parsed<typeof parseSavedDomain>;

export const parseSavedDomain = p.object({ ...domainShape, operation: p.orElse(p.text, null) });

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
export type DomainPage = p.Parsed<typeof parseDomainPage>;

export const parseDomainPage = p.countedPage(parseDomain);

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
