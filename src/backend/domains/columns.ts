import { type Domain, UNKNOWN_VALUES } from "../../shared/domain.ts";
import { FIELD_NAMES, FIELDS, type Field } from "../../shared/fields.ts";
import type { SqlValue } from "../database/bulk-rows.ts";
import { KIND_OF } from "./field-kinds.ts";

export type Columns = Record<string, SqlValue>;

export const FIELD_COLUMNS: readonly string[] = columnsOf(FIELD_NAMES);

/** The columns of some fields, in the order of the table of fields. */
export function columnsOf(fields: Iterable<string>): string[] {
  const wanted = new Set(fields);
  return FIELD_NAMES.flatMap((field) => (wanted.has(field) ? FIELDS[field].columns : []));
}

/** The columns of the given fields. A name comes with its `unicode` form. */
export function toColumns(domain: Partial<Domain>): Columns {
  const columns: Columns = {};
  for (const field of FIELD_NAMES) putCells(columns, domain, field);
  return columns;
}

function putCells<F extends Field>(columns: Columns, domain: Partial<Domain>, field: F): void {
  const value: Domain[F] | undefined = domain[field];
  if (value === undefined) return;
  const cells = KIND_OF[field].write(value, domain);
  // A field with fewer columns than its kind has cells has the last of them: of a registrar the key,
  // as its spelling is in `registrars`.
  const names: readonly string[] = FIELDS[field].columns;
  let cell = cells.length - names.length;
  for (const name of names) columns[name] = cells[cell++] ?? null;
}

/** Fields whose words stand in another table: the names under which a row has their cells. */
const READ_AS: { readonly [F in Field]?: readonly string[] } = {
  registrar: ["registrar"],
  person: ["person_id", "person"],
};

/** With the registrar's spelling and the person's name. Postgres returns a bigint as a string. */
export type DomainRow = Columns & {
  id: string;
  version: number;
  unicode: string;
  created_at: string;
  updated_at: string;
};

/** Reads a domain from its row and its tags. The alternatives of its expiry are read elsewhere. */
export function fromRow(row: DomainRow, tags: string[]): Domain {
  const { id, version, unicode, created_at: createdAt, updated_at: updatedAt } = row;
  const domain = { ...UNKNOWN_VALUES, id, version, name: "", unicode, createdAt, updatedAt };
  for (const field of FIELD_NAMES) readCells(domain, row, field);
  return { ...domain, tags };
}

function readCells<F extends Field>(domain: Pick<Domain, F>, row: DomainRow, field: F): void {
  const names: readonly string[] = READ_AS[field] ?? FIELDS[field].columns;
  domain[field] = KIND_OF[field].read(names.map((name) => row[name] ?? null));
}
