import type { SQL } from "bun";
import { UNKNOWN_VALUES, type Change, type ChangePage, type Domain } from "../../shared/domain.ts";
import { FIELD_NAMES, type Field } from "../../shared/fields.ts";
import type { Summary } from "../../shared/register.ts";
import { insertRows } from "../database/bulk-rows.ts";
import { parseDomainName } from "./domain-name.ts";

/** Who changes something, and when: one instant for everything that one request writes. */
export interface Author {
  email: string;
  at: string;
  /** The id that undoes everything that the request writes; an import is undone as such. */
  operation?: string;
  /** The import that causes the change. */
  importId?: string;
}

/** Who changes something by one operation, which can be undone. */
export type Operator = Author & { operation: string };

/** The author of an operation that begins now. */
export function startOperation(email: string): Operator {
  return { email, at: new Date().toISOString(), operation: Bun.randomUUIDv7() };
}

/** The fields in which two copies of a domain differ; null stands for a domain that does not exist. */
export function changedFields(before: Domain | null, after: Domain | null): Change["fields"] {
  return FIELD_NAMES.flatMap((field) => {
    const was = historyValue(before, field);
    const is = historyValue(after, field);
    return was === is || Bun.deepEquals(was, is) ? [] : [{ field, before: was, after: is }];
  });
}

/**
 * The value of a field as the history compares it: the expiry without its instant, which only the
 * clock decides, so that a change is one that a person sees.
 */
export function historyValue(domain: Domain | null, field: Field): unknown {
  if (domain === null) return field === "name" ? null : UNKNOWN_VALUES[field];
  if (field !== "expires" || domain.expires === null) return domain[field];
  const { date, source, conflict } = domain.expires;
  return { date, source, conflict };
}

export async function addChanges(
  sql: SQL,
  changes: readonly (Pick<Change, "action" | "fields"> & { domainId: string })[],
  { email, at, operation, importId }: Author,
): Promise<void> {
  const rows = changes.map(({ domainId, action, fields }) => ({
    id: Bun.randomUUIDv7(),
    domain_id: domainId,
    at,
    made_by: email,
    action,
    fields: JSON.stringify(fields),
    import_id: importId ?? null,
    operation: operation ?? null,
  }));
  await insertRows(sql, "changes", rows);
}

/** A row of `changes`; `fields` is JSON. */
interface ChangeRow {
  id: string;
  at: string;
  made_by: string;
  action: Change["action"];
  fields: string;
  import_id: string | null;
  operation: string | null;
}

const COLUMNS = "id, at, made_by, action, fields, import_id, operation";

function fromRow(row: ChangeRow): Change {
  return {
    id: row.id,
    at: row.at,
    by: row.made_by,
    action: row.action,
    fields: JSON.parse(row.fields),
    ...(row.import_id !== null && { import: row.import_id }),
    ...(row.operation !== null && { operation: row.operation }),
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
  const rows = await sql<ChangeRow[]>`select ${sql.unsafe(COLUMNS)} from changes
    where domain_id = ${domainId} ${after === null ? sql`` : sql`and id < ${after}`}
    order by id desc limit ${limit + 1}`;
  if (rows.length === 0 && after === null) return null;

  const items = rows.slice(0, limit).map(fromRow);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** The newest changes of all domains, deleted ones included. */
export async function listLatestChanges(sql: SQL, limit: number): Promise<Summary["changes"]> {
  // `unicode` is the name that the domain has now; null where it was deleted.
  const rows = await sql<(ChangeRow & { domain_id: string; unicode: string | null })[]>`
    select c.id, c.at, c.made_by, c.action, c.fields, c.import_id, c.operation, c.domain_id, d.unicode
    from (select * from changes order by id desc limit ${limit}) c
    left join domains d on d.id = c.domain_id order by c.id desc`;
  const deleted = rows.filter(({ unicode }) => unicode === null).map((row) => row.domain_id);
  const names = await namesOfDeleted(sql, [...new Set(deleted)]);
  return rows.map((row) => {
    const name = row.unicode ?? names.get(row.domain_id) ?? "";
    const change = Object.assign(fromRow(row), { domainId: row.domain_id, name });
    const { at, by, action, import: importId = null } = change;
    const items = [change];
    return { operation: null, import: importId, fileName: null, at, by, action, names: 1, items };
  });
}

/** The name of a deleted domain is in the last change of its history. */
async function namesOfDeleted(sql: SQL, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<(ChangeRow & { domain_id: string })[]>`
    select ${sql.unsafe(COLUMNS)}, domain_id from changes
    where domain_id in ${sql(ids)} and action = 'deleted' order by id`;
  return new Map(rows.map((row) => [row.domain_id, deletedName(fromRow(row))]));
}

function deletedName({ fields }: Change): string {
  const before = fields.find(({ field }) => field === "name")?.before;
  const name = parseDomainName(typeof before === "string" ? before : "");
  return "code" in name ? String(before ?? "") : name.unicode;
}
