import { DECISIONS, UNKNOWN_VALUES, type Domain, type Expiry } from "../../shared/domain.ts";
import { FIELD_NAMES, FIELDS, fieldsOf, type Field } from "../../shared/fields.ts";
import { isRecord } from "../../shared/parse.ts";
import { foldLabel } from "../../shared/text.ts";
import { dueDay } from "../../shared/work.ts";
import type { SqlValue } from "../database/bulk-rows.ts";
import type { DomainName } from "./domain-name.ts";

/** Values of some columns, ready for `insert` and `update`. */
export type Columns = Record<string, SqlValue>;

/** Values of some fields as they are stored. Tags are in a table of their own. */
type FieldValues = Partial<Omit<Domain, "name">> & { name?: DomainName };

const LABELS = fieldsOf("label");
const CHOICES = fieldsOf("choice");
const FLAGS = fieldsOf("flag");
const TEXTS = fieldsOf("text", "day");
const MONEY = fieldsOf("money");
const HOSTS = fieldsOf("hosts");
const CUSTOM = fieldsOf("custom");

/** All columns of `domains` that hold a field. */
export const FIELD_COLUMNS: readonly string[] = columnsOf(FIELD_NAMES);

/** The columns of some fields, in the order of the table of fields. */
export function columnsOf(fields: Iterable<string>): string[] {
  const wanted = new Set(fields);
  return FIELD_NAMES.flatMap((field) => (wanted.has(field) ? FIELDS[field].columns : []));
}

/**
 * The columns that these fields decide; an absent field leaves its columns out. Registrars are
 * stored by key only: their spelling is in `registrars`.
 */
export function toColumns(values: FieldValues): Columns {
  const columns: Columns = {};
  const put = (field: Field, ...cells: SqlValue[]) => {
    for (const [index, column] of FIELDS[field].columns.entries()) {
      columns[column] = cells[index] ?? null;
    }
  };
  const { name, expires, renewal, notes } = values;
  if (name !== undefined) put("name", name.name, name.unicode, name.tld);
  for (const field of LABELS) {
    const label = values[field];
    if (label === undefined) continue;
    const key = label === null ? null : foldLabel(label);
    put(field, ...(FIELDS[field].columns.length > 1 ? [label, key] : [key]));
  }
  for (const field of CHOICES) {
    const choice = values[field];
    if (choice !== undefined) put(field, choice);
  }
  for (const field of FLAGS) {
    const flag = values[field];
    if (flag !== undefined) put(field, flag === null ? null : Number(flag));
  }
  if (expires !== undefined) {
    const { date = null, source = null, observedAt = null, conflict = false } = expires ?? {};
    put("expires", date, source, observedAt, Number(conflict), dueDay({ expires }));
  }
  if (renewal !== undefined) {
    const { minor = null, currency = null, years = null } = renewal ?? {};
    put("renewal", minor, currency, years);
  }
  for (const field of TEXTS) {
    const text = values[field];
    if (text !== undefined) put(field, text);
  }
  for (const field of MONEY) {
    const money = values[field];
    if (money !== undefined) put(field, money?.minor ?? null, money?.currency ?? null);
  }
  for (const field of HOSTS) {
    const hosts = values[field];
    if (hosts !== undefined) put(field, hosts.join(" ") || null);
  }
  for (const field of CUSTOM) {
    const texts = values[field];
    if (texts !== undefined) put(field, isEmpty(texts) ? null : JSON.stringify(texts));
  }
  if (notes !== undefined) put("notes", notes, notes === "" ? null : foldLabel(notes));
  return columns;
}

/** The columns of a whole domain. */
export function domainColumns({ name, unicode, ...others }: Domain): Columns {
  const tld = name.slice(name.lastIndexOf(".") + 1);
  return toColumns({ ...others, name: { name, unicode, tld } });
}

/**
 * A row of `domains` (Postgres returns a bigint as a string), with the spelling of its registrar as
 * `registrar`.
 */
export type DomainRow = Columns & {
  id: string;
  version: number;
  name: string;
  unicode: string;
  created_at: string;
  updated_at: string;
};

/** Reads a domain from its row and its tags. The alternatives of its expiry are read elsewhere. */
export function fromRow(row: DomainRow, tags: string[]): Domain {
  const { id, version, name, unicode } = row;
  const domain: Domain = { ...UNKNOWN_VALUES, id, version, name, unicode, tags };
  for (const field of LABELS) domain[field] = textOf(row[field]);
  for (const field of CHOICES) {
    const choice = cellOf(row, field);
    domain[field] = DECISIONS.find((each) => each === choice) ?? null;
  }
  for (const field of FLAGS) {
    const flag = cellOf(row, field);
    domain[field] = flag === null ? null : flag === 1;
  }
  domain.expires = readExpiry(row);
  const [minor = null, currency = null, years = null] = cellsOf(row, "renewal");
  if (minor !== null) {
    domain.renewal = {
      minor: Number(minor),
      currency: textOf(currency),
      years: years === null ? null : Number(years),
    };
  }
  for (const field of TEXTS) domain[field] = textOf(cellOf(row, field));
  for (const field of MONEY) {
    const [amount = null, code = null] = cellsOf(row, field);
    domain[field] = amount === null ? null : { minor: Number(amount), currency: textOf(code) };
  }
  for (const field of HOSTS) domain[field] = textOf(cellOf(row, field))?.split(" ") ?? [];
  for (const field of CUSTOM) domain[field] = readCustomFields(cellOf(row, field));
  domain.notes = textOf(cellOf(row, "notes")) ?? "";
  domain.createdAt = row.created_at;
  domain.updatedAt = row.updated_at;
  return domain;
}

/** Reads the custom fields of a domain from their column. */
export function readCustomFields(cell: SqlValue): Record<string, string> {
  const json: unknown = typeof cell === "string" ? JSON.parse(cell) : null;
  const entries = isRecord(json) ? Object.entries(json) : [];
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
}

function isEmpty(texts: Readonly<Record<string, string>>): boolean {
  return Object.keys(texts).length === 0;
}

function readExpiry(row: DomainRow): Expiry | null {
  const [date, source, observedAt, conflict] = cellsOf(row, "expires");
  if (typeof date !== "string" || typeof source !== "string") return null;
  return {
    date,
    source,
    observedAt: textOf(observedAt) ?? "",
    conflict: conflict === 1,
    alternatives: [],
  };
}

function cellsOf(row: DomainRow, field: Field): SqlValue[] {
  return FIELDS[field].columns.map((column) => row[column] ?? null);
}

function cellOf(row: DomainRow, field: Field): SqlValue {
  return cellsOf(row, field)[0] ?? null;
}

function textOf(cell: SqlValue | undefined): string | null {
  return typeof cell === "string" ? cell : null;
}
