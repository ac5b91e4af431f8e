import type { SQL } from "bun";
import { UNKNOWN_VALUES, type Change, type ChangePage, type Domain } from "../../shared/domain.ts";
import { FIELD_NAMES, isField, type Field } from "../../shared/fields.ts";
import { insertRows } from "../database/bulk-rows.ts";
import type { User } from "../http/route.ts";
import { parseDomainName } from "./domain-name.ts";
import { KIND_OF } from "./field-kinds.ts";

/** Who makes a change, by the name of this time: a person, or, without an id, a source or a channel. */
export interface Maker {
  id: string | null;
  name: string;
  token?: User["token"];
}

/** What the history calls somebody: Ada, or Ada (Nightly export) where a script used her API token. */
export function historyName({ name, token }: Maker): string {
  return token ? `${name} (${token.name})` : name;
}

/** Who changes something, and when: one instant for everything that one request writes. */
export interface Author {
  by: Maker;
  at: string;
  /** The id that undoes everything that the request writes. */
  operation?: string;
  /** The import that causes the change. */
  importId?: string;
}

/** Who changes something by one operation, which can be undone. */
export type Operator = Author & { operation: string };

/** The author of an operation that begins now. */
export function startOperation(by: Maker): Operator {
  return { by, at: new Date().toISOString(), operation: Bun.randomUUIDv7() };
}

/** The fields in which two copies of a domain differ; null stands for a domain that does not exist. */
export function changedFields(before: Domain | null, after: Domain | null): Change["fields"] {
  const changes: Change["fields"] = [];
  for (const field of FIELD_NAMES) {
    const was = pastValue(before, field);
    const is = pastValue(after, field);
    if (was !== is && !Bun.deepEquals(was, is)) changes.push({ field, before: was, after: is });
  }
  return changes;
}

/** The values of a domain that does not exist. */
const NO_VALUES = { ...UNKNOWN_VALUES, name: null };

/** The value of a field as the history keeps it. */
function pastValue<F extends Field>(domain: Domain | null, field: F): unknown {
  if (domain === null) return NO_VALUES[field];
  const { past } = KIND_OF[field];
  return past === undefined ? domain[field] : past(domain[field]);
}

/**
 * Whether a domain has what a change left (`after`) or found (`before`): spelling aside, as domains
 * share their labels, unless the spelling is all that changed; and whether or not other sources disagree
 * with the expiry. True for a field that is not known.
 */
export function hasValue(
  domain: Domain,
  change: Change["fields"][number],
  side: "before" | "after",
): boolean {
  const { field, before, after } = change;
  if (!isField(field)) return true;
  const { fold } = KIND_OF[field];
  const now = pastValue(domain, field);
  const isSpelling = fold === undefined || Bun.deepEquals(fold(before), fold(after));
  if (isSpelling) return Bun.deepEquals(now, change[side]);
  return Bun.deepEquals(fold(now), fold(change[side]));
}

/** The fields of a domain that somebody has edited since it was added with these. */
export function editedSinceAdded(added: Change["fields"], domain: Domain): string[] {
  const edited = added.filter((change) => !hasValue(domain, change, "after"));
  const known = new Set(added.map(({ field }) => field));
  const more = changedFields(null, domain).filter(({ field }) => !known.has(field));
  return [...edited, ...more].map(({ field }) => field);
}

/** The values from before some changes, of fields other than the expiry, which is derived. */
export function valuesBefore(changes: Change["fields"]): Partial<Domain> {
  const fields = changes.filter(({ field }) => isField(field) && field !== "expires");
  const pairs = fields.map(({ field, before }) => [field, before]);
  // True because a change's `before` is what `historyValue` read from a domain's field of that name.
  return Object.fromEntries(pairs) as Partial<Domain>;
}

export async function addChanges(
  sql: SQL,
  changes: readonly (Pick<Change, "action" | "fields"> & { domainId: string })[],
  { by, at, operation, importId }: Author,
): Promise<void> {
  const rows = changes.map(({ domainId, action, fields }) => ({
    id: Bun.randomUUIDv7(),
    domain_id: domainId,
    at,
    made_by: by.id,
    made_by_name: historyName(by),
    action,
    fields: JSON.stringify(fields),
    import_id: importId ?? null,
    operation: operation ?? null,
  }));
  await insertRows(sql, "changes", rows);
}

/** A row of `changes`; `fields` is JSON. */
export interface ChangeRow {
  id: string;
  at: string;
  made_by: string | null;
  made_by_name: string;
  action: Change["action"];
  fields: string;
  import_id: string | null;
  operation: string | null;
}

/** The columns of a `ChangeRow`. */
export const CHANGE_COLUMNS = "id, at, made_by, made_by_name, action, fields, import_id, operation";

/** Reads a change from its row. */
export function changeOf(row: ChangeRow): Change {
  return {
    id: row.id,
    at: row.at,
    by: row.made_by_name,
    byId: row.made_by,
    action: row.action,
    fields: JSON.parse(row.fields),
    ...(row.import_id !== null && { import: row.import_id }),
    // An import is undone as such.
    ...(row.operation !== null && row.import_id === null && { operation: row.operation }),
  };
}

/**
 * The changes of a domain, newest first, at most `limit` that are older than the change `after`; null
 * where this id never existed. The history of a deleted domain stays.
 */
export async function listChanges(
  sql: SQL,
  domainId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<ChangePage | null> {
  const rows = await sql<(ChangeRow & { file_name: string | null })[]>`
    select ${sql.unsafe(CHANGE_COLUMNS)},
      (select file_name from imports where imports.id = import_id) as file_name
    from changes where domain_id = ${domainId} ${after === null ? sql`` : sql`and id < ${after}`}
    order by id desc limit ${limit + 1}`;
  if (rows.length === 0 && after === null) return null;

  const items = rows
    .slice(0, limit)
    .map((row) => Object.assign(changeOf(row), row.file_name && { fileName: row.file_name }));
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/**
 * The next `limit` changes of an operation, with the domains that they are of, after the change `after`
 * ("" at first). There is one for each domain.
 */
export async function listOperation(
  sql: SQL,
  operation: string,
  { limit, after }: { limit: number; after: string },
): Promise<(Change & { domainId: string })[]> {
  const rows = await sql<(ChangeRow & { domain_id: string })[]>`
    select ${sql.unsafe(CHANGE_COLUMNS)}, domain_id from changes
    where operation = ${operation} and id > ${after} order by id limit ${limit}`;
  return rows.map((row) => Object.assign(changeOf(row), { domainId: row.domain_id }));
}

/** The names of deleted domains, by their ids: they are in the last change of each history. */
export async function namesOfDeleted(
  sql: SQL,
  ids: readonly string[],
): Promise<Map<string, Pick<Domain, "name" | "unicode">>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<(ChangeRow & { domain_id: string })[]>`
    select ${sql.unsafe(CHANGE_COLUMNS)}, domain_id from changes
    where domain_id in ${sql(ids)} and action = 'deleted' order by id`;
  return new Map(rows.map((row) => [row.domain_id, deletedName(changeOf(row))]));
}

function deletedName({ fields }: Change): Pick<Domain, "name" | "unicode"> {
  const before = String(fields.find(({ field }) => field === "name")?.before ?? "");
  const name = parseDomainName(before);
  return "code" in name ? { name: before, unicode: before } : name;
}
