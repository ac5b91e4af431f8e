import { type Domain, UNKNOWN_VALUES } from "../../shared/domain.ts";
import { FIELD_NAMES, type Field } from "../../shared/fields.ts";
import type { SqlValue } from "../database/bulk-rows.ts";
import { KIND_OF } from "./field-kinds.ts";

export type Columns = Record<string, SqlValue>;

/** The columns of each field in the table `domains`; its kind says what each holds. */
export const COLUMNS = {
  name: ["name", "unicode", "tld", "sort_name"],
  // The spelling is shared by all domains: it stands in the table `registrars`.
  registrar: ["registrar_key"],
  account: ["account", "account_key"],
  owner: ["owner", "owner_key"],
  person: ["person_id"],
  expires: [
    "expires_on",
    "expires_source",
    "expires_observed_at",
    "expires_conflict",
    // The earliest day that a source reports: the list, counts and reminders go by it, see `dueDay`.
    "expires_earliest",
  ],
  autoRenew: ["auto_renew"],
  renewal: ["renewal_minor", "renewal_currency", "renewal_years"],
  tags: [],
  decision: ["decision"],
  registeredOn: ["registered_on"],
  status: ["status", "status_key"],
  locked: ["locked"],
  privacy: ["privacy"],
  nameservers: ["nameservers"],
  purchasePrice: ["purchase_minor", "purchase_currency"],
  purchasedOn: ["purchased_on"],
  askingPrice: ["asking_minor", "asking_currency"],
  soldPrice: ["sold_minor", "sold_currency"],
  soldOn: ["sold_on"],
  archivedOn: ["archived_on"],
  doneFor: ["done_for"],
  handled: [],
  notes: ["notes"],
  // What a filter compares stands in the second.
  custom: ["custom", "custom_key"],
} as const satisfies { readonly [F in Field]: readonly string[] };

export const FIELD_COLUMNS: readonly string[] = columnsOf(FIELD_NAMES);

/** The columns of some fields, in the order of the table of fields. */
export function columnsOf(fields: Iterable<string>): string[] {
  const wanted = new Set(fields);
  return FIELD_NAMES.flatMap((field) => (wanted.has(field) ? COLUMNS[field] : []));
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
  const names: readonly string[] = COLUMNS[field];
  let cell = cells.length - names.length;
  for (const name of names) columns[name] = cells[cell++] ?? null;
}

/** Fields whose words stand in another table: the names under which a row has their cells. */
const READ_AS: { readonly [F in Field]?: readonly string[] } = {
  registrar: ["registrar"],
  person: ["person_id", "person"],
};

/** With the registrar's spelling and the person's name. Postgres returns a bigint as a string. */
export type StoredDomain = Columns & {
  id: string;
  version: number;
  unicode: string;
  created_at: string;
  updated_at: string;
};

/** Reads a domain from its row and its tags. The alternatives of its expiry are read elsewhere. */
export function fromRow(row: StoredDomain, tags: string[]): Domain {
  const { id, version, unicode, created_at: createdAt, updated_at: updatedAt } = row;
  const domain = { ...UNKNOWN_VALUES, id, version, name: "", unicode, createdAt, updatedAt };
  for (const field of FIELD_NAMES) readCells(domain, row, field);
  return { ...domain, tags };
}

function readCells<F extends Field>(domain: Pick<Domain, F>, row: StoredDomain, field: F): void {
  const names: readonly string[] = READ_AS[field] ?? COLUMNS[field];
  domain[field] = KIND_OF[field].read(names.map((name) => row[name] ?? null));
}
