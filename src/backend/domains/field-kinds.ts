import { parseDay } from "../../shared/day.ts";
import { DECISIONS, type Domain, type Money, type NamedPerson } from "../../shared/domain.ts";
import { kindsByField, type Field, type FieldKind, type FieldOf } from "../../shared/fields.ts";
import { currencyDigits, MAX_YEARS, parseCurrency } from "../../shared/money.ts";
import * as p from "../../shared/parse.ts";
import { sortName } from "../../shared/search.ts";
import {
  customKey,
  foldLabel,
  LIMITS,
  parseCustomFields,
  parseLabel,
  parseNotes,
  parseTags,
} from "../../shared/text.ts";
import { dueDay } from "../../shared/work.ts";
import type { SqlValue } from "../database/bulk-rows.ts";
import { parseId } from "../http/read-input.ts";
import { foldStatus } from "./registrar-status.ts";
import { type DomainName, parseDomainName, parseOwnedName } from "./domain-name.ts";

interface Kind<V> {
  /** Checks what a request sets it to; null where no request does so by the field's name. */
  input: p.Parser<unknown> | null;
  /** The cells that store a value, for the columns of the field. */
  write: (value: V, domain: Partial<Domain>) => readonly SqlValue[];
  read: (cells: readonly SqlValue[]) => V;
  /** What our CSV has of a value: the cells under the field's headers. */
  csv: (value: V, domain: Domain) => readonly string[];
  /** What the history keeps of a value, where it is not all of it. */
  past?: (value: V) => unknown;
  /** The form in which two values of the history are the same, where it is not as they are. */
  fold?: (past: unknown) => unknown;
}

type Kinds = { readonly [K in FieldKind]: Kind<Domain[FieldOf<K>]> };

const moneyShape = {
  minor: p.integer(0, Number.MAX_SAFE_INTEGER),
  currency: p.optional(p.nullable(parseCurrency)),
} as const;
const parseMoney = p.mapped(p.exactObject(moneyShape), ({ minor, currency = null }) => ({
  minor,
  currency,
}));
const parseRenewal = p.mapped(
  p.exactObject({ ...moneyShape, years: p.optional(p.nullable(p.integer(1, MAX_YEARS))) }),
  ({ minor, currency = null, years = null }) => ({ minor, currency, years }),
);

function nameParser(parse: typeof parseDomainName): p.Parser<DomainName> {
  return p.described(
    (value) => {
      if (typeof value !== "string") return p.refuse("type", p.expected("a domain name", value));
      const name = parse(value);
      return "code" in name ? p.refuse(name.code, name.detail) : name;
    },
    () => ({ type: "string" }),
  );
}

export const parseName = nameParser(parseOwnedName);
const parseHosts = p.mapped(
  p.list(nameParser(parseDomainName), { max: LIMITS.nameservers }),
  (hosts) => [...new Set(hosts.map(({ name }) => name))],
);

/** The id of a person, whose name is read where it is stored. */
const parsePersonId = p.mapped(p.nullable(parseId), (id): NamedPerson | null =>
  id === null ? null : { id, name: "" },
);

/** A text that stands in one cell, null where it is unknown. */
const TEXT = {
  write: (value: string | null) => [value],
  read: ([cell]: readonly SqlValue[]) => textOf(cell),
  csv: (value: string | null) => [value ?? ""],
};

export const FIELD_KINDS = {
  name: {
    input: parseName,
    write: (name, { unicode = name }) => [
      name,
      unicode,
      name.slice(name.lastIndexOf(".") + 1),
      sortName(name, unicode),
    ],
    read: ([name]) => String(name),
    csv: (name, { unicode }) => [name, unicode],
  },
  label: {
    ...TEXT,
    input: parseLabel(),
    write: (label) => [label, label === null ? null : foldLabel(label)],
    fold: (label) => (label === null ? null : foldLabel(String(label))),
  },
  status: {
    ...TEXT,
    input: parseLabel(),
    write: (status) => [status, status === null ? null : foldStatus(status)],
  },
  person: {
    input: parsePersonId,
    write: (person) => [person?.id ?? null],
    // Null where the account is gone.
    read: ([id, name]) =>
      typeof id === "string" && typeof name === "string" ? { id, name } : null,
    csv: (person) => [person?.name ?? ""],
    // Whatever they are called by now.
    fold: (person) => (p.isRecord(person) ? person.id : null),
  },
  tags: {
    input: parseTags,
    // They are in a table of their own.
    write: () => [],
    read: () => [],
    csv: (tags) => [tags.map((tag) => tag.replace(/[\\;]/g, "\\$&")).join(";")],
    fold: (tags) =>
      Array.isArray(tags) ? tags.map((tag) => foldLabel(String(tag))).toSorted() : [],
  },
  choice: {
    input: p.nullable(p.oneOf(DECISIONS)),
    write: (choice) => [choice],
    read: ([cell]) => DECISIONS.find((each) => each === cell) ?? null,
    csv: (choice) => [choice ?? ""],
  },
  flag: {
    input: p.nullable(p.boolean),
    write: (flag) => [flag === null ? null : Number(flag)],
    read: ([cell = null]) => (cell === null ? null : cell === 1),
    csv: (flag) => [flag === null ? "" : flag ? "yes" : "no"],
  },
  expiry: {
    input: p.nullable(parseDay),
    write: (expires) => {
      const { date = null, source = null, observedAt = null, conflict = false } = expires ?? {};
      return [date, source, observedAt, Number(conflict), dueDay({ expires })];
    },
    read: ([date, source, observedAt, conflict]) => {
      if (typeof date !== "string" || typeof source !== "string") return null;
      const observed = textOf(observedAt) ?? "";
      return { date, source, observedAt: observed, conflict: conflict === 1, alternatives: [] };
    },
    csv: (expires) => [expires?.date ?? "", expires?.source ?? ""],
    // Without its instant, which only the clock decides: a change is one that a person sees.
    past: (expires) =>
      expires && { date: expires.date, source: expires.source, conflict: expires.conflict },
    fold: (expires) => (p.isRecord(expires) ? [expires.date, expires.source] : null),
  },
  day: { ...TEXT, input: p.nullable(parseDay) },
  price: {
    input: p.nullable(parseRenewal),
    write: (price) => [price?.minor ?? null, price?.currency ?? null, price?.years ?? null],
    read: ([minor, currency, years = null]) => {
      const money = readMoney([minor, currency]);
      return money && { ...money, years: years === null ? null : Number(years) };
    },
    csv: (price) => [...amountCells(price), String(price?.years ?? "")],
  },
  money: {
    input: p.nullable(parseMoney),
    write: (money) => [money?.minor ?? null, money?.currency ?? null],
    read: readMoney,
    csv: amountCells,
  },
  hosts: {
    input: parseHosts,
    write: (hosts) => [hosts.join(" ") || null],
    read: ([cell]) => textOf(cell)?.split(" ") ?? [],
    csv: (hosts) => [hosts.join(";")],
  },
  notes: {
    input: parseNotes,
    write: (notes) => [notes],
    read: ([cell]) => textOf(cell) ?? "",
    csv: (notes) => [notes],
  },
  handled: {
    input: null,
    // In a table of its own; a file has nothing of it.
    write: () => [],
    read: () => null,
    csv: () => [],
    // Older entries of the history have no id of the person.
    fold: (past) => (p.isRecord(past) ? { ...past, byId: null } : past),
  },
  custom: {
    input: parseCustomFields,
    write: (texts) => {
      const key = customKey(texts);
      return [key === null ? null : JSON.stringify(texts), key];
    },
    read: ([cell]) => {
      const json: unknown = typeof cell === "string" ? JSON.parse(cell) : null;
      const entries = p.isRecord(json) ? Object.entries(json) : [];
      return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
    },
    // Each name has a column of its own, behind those of all fields.
    csv: () => [],
  },
} as const satisfies Kinds;

export const KIND_OF: { readonly [F in Field]: Kind<Domain[F]> } = kindsByField(FIELD_KINDS);

/** The amount in whole units, with the currency's own number of decimals and a dot. */
export function formatAmount(money: Money): string {
  const digits = currencyDigits(money.currency);
  const minor = String(money.minor).padStart(digits + 1, "0");
  return digits === 0 ? minor : `${minor.slice(0, -digits)}.${minor.slice(-digits)}`;
}

function amountCells(money: Money | null): string[] {
  return [money === null ? "" : formatAmount(money), money?.currency ?? ""];
}

function readMoney([minor = null, currency]: readonly (SqlValue | undefined)[]): Money | null {
  return minor === null ? null : { minor: Number(minor), currency: textOf(currency) };
}

function textOf(cell: SqlValue | undefined): string | null {
  return typeof cell === "string" ? cell : null;
}
