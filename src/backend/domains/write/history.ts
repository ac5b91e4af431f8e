import type { SQL } from "bun";
import { type Change, type ChangePage } from "../../../shared/changes.ts";
import { UNKNOWN_VALUES, type Domain } from "../../../shared/domain.ts";
import type { Instant } from "../../../shared/day.ts";
import { FIELD_NAMES, isField, type Field } from "../../../shared/fields.ts";
import { type Fragment, readColumn, databaseClock } from "../../database/database.ts";
import { chunks, insertRows } from "../../database/bulk-rows.ts";
import { pageOf } from "../../http/paging.ts";
import { EVERYTHING, type Sight, type User } from "../../http/route.ts";
import * as p from "../../../shared/parse.ts";
import { parseDomainName } from "../domain-name.ts";
import type { StoredReport } from "../expiry/expiry.ts";
import { KIND_OF } from "../field-kinds.ts";
import { changeInSight } from "../list/filter-condition.ts";
import { nameChangedSources, readSourceNames, withoutHiddenFields } from "../list/shown.ts";

/** Who makes a change, by the name of this time: a person, or, without an id, a source or a channel. */
export interface Maker {
  id: string | null;
  name: string;
  /** Null: no script, but a person, an account or the program itself. */
  token: User["token"];
}

/** What the history calls a person: Ada, or Ada (Nightly export) where a script used her API token. */
export function historyName({ name, token }: Maker): string {
  return token ? `${name} (${token.name})` : name;
}

/** Who changes something, and when: one instant for everything that one request writes. */
export interface Author {
  by: Maker;
  at: string;
  /** The id that undoes everything that the request writes. */
  operation?: string;
  importId?: string;
}

export type Operator = Author & { operation: string };

const readNow = databaseClock();

/** The author of an operation that begins now, by the clock of the database. */
export async function startOperation(sql: SQL, by: Maker): Promise<Operator> {
  return { by, at: (await readNow(sql)).toISOString(), operation: Bun.randomUUIDv7() };
}

/** Reminders count the names of such an operation that expire soon instead of telling each. */
export async function markNoNews(sql: SQL, { operation, at }: Operator): Promise<void> {
  await sql`insert into no_news ${sql({ operation, at })}`;
}

/** The id of a change or a row of the bin at an instant: a UUID (version 7, RFC 9562 §5.7), in its order. */
export function changeIdAt(at: Instant): string {
  return Bun.randomUUIDv7("hex", Date.parse(at));
}

/** Reports that came and went with a change: an undo takes `added` away and brings `removed` back. */
export interface ChangedReports {
  added: readonly string[];
  removed: readonly StoredReport[];
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

const NO_VALUES = { ...UNKNOWN_VALUES, name: null };

function pastValue<F extends Field>(domain: Domain | null, field: F): unknown {
  if (domain === null) return NO_VALUES[field];
  const { past } = KIND_OF[field];
  return past === undefined ? domain[field] : past(domain[field]);
}

/**
 * Whether a domain has what a change left (`after`) or found (`before`), spelling aside, unless
 * only that changed, and conflicts of the expiry aside. True for an unknown field.
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

export function editedSinceAdded(added: Change["fields"], domain: Domain): string[] {
  const edited = added.filter((change) => !hasValue(domain, change, "after"));
  const known = new Set(added.map(({ field }) => field));
  const more = changedFields(null, domain).filter(({ field }) => !known.has(field));
  return [...edited, ...more].map(({ field }) => field);
}

/**
 * What people set by hand, the last of each field, by the id of the domain. Neither lists of names nor
 * undos are by hand, nor is what is undone.
 */
export async function readSetByHand(
  sql: SQL,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Change["fields"]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; fields: string; operation: string }[]>`
    select domain_id as id, fields, coalesce(operation, '') as operation from changes
    where domain_id in ${sql([...ids])} and made_by is not null and import_id is null
      and not exists (select 1 from no_news where no_news.operation = changes.operation)
      and not exists (select 1 from undos where undos.operation = changes.operation)
    order by domain_id, changes.id`;
  const undone = await readUndone(sql, new Set(rows.map(({ operation }) => operation)));
  const standing = rows.filter(({ operation }) => !undone.has(operation));
  const byDomain = Map.groupBy(standing, ({ id }) => id);
  return new Map(
    [...byDomain].map(([id, changes]) => {
      const fields = changes.flatMap((change): Change["fields"] => JSON.parse(change.fields));
      return [id, [...new Map(fields.map((each) => [each.field, each])).values()]];
    }),
  );
}

const REFUSED = "refused";
const parseRefused = p.object({ name: p.text, account: p.text });

/** That a person keeps a name of an account out of the register, or no more: an edit of that name. */
export function refusalChange(
  domainId: string,
  refused: p.Parsed<typeof parseRefused>,
  isBack: boolean,
): NewChange {
  const [before, after] = isBack ? [refused, null] : [null, refused];
  return { domainId, action: "edited", fields: [{ field: REFUSED, before, after }] };
}

/** The name that a change refused, or refused no more, and its account; null: it is another change. */
export function refusedName({ fields: [first] }: Pick<Change, "fields">) {
  if (first?.field !== REFUSED) return null;
  const { name, account } = parseRefused(first.before ?? first.after);
  return { ...spell(name), account };
}

export const isRefusal = (sql: SQL): Fragment => sql`fields like ${`[{"field":"${REFUSED}"%`}`;

/** Of the table `changes`: people, imports or accounts made it. An index has these alone. */
export function isMade(sql: SQL): Fragment {
  return sql`(operation is not null or import_id is not null)`;
}

/** The last instants at which something was made, the newest first. Each takes one look into an index. */
export function listLastTimes(
  sql: SQL,
  limit: number,
  sight: Sight,
  after = "",
): Promise<Instant[]> {
  const isSeen = () => sql`and exists (
    select 1 from changes where at = times.at and ${isMade(sql)}
      ${changeInSight(sql, sight)})`;
  return readColumn(sql`
    with recursive times (at, place) as (
      select max(at), 1 from changes where ${isMade(sql)}
      union all
      select (select max(at) from changes where at < times.at and ${isMade(sql)}), place + 1
      from times where times.at > ${after} and place < ${limit})
    select at from times where at > ${after} ${sight === EVERYTHING ? sql`` : isSeen()}
    order by at desc`);
}

/** Those of some operations that are undone, by an undo that is not undone itself. */
export async function readUndone(sql: SQL, ids: ReadonlySet<string>): Promise<Set<string>> {
  const rows: { operation: string; undoes: string }[] = [];
  for (const batch of chunks([...ids])) {
    const found = await sql<typeof rows>`
      select operation, undoes from undos where undoes in ${sql(batch)}`;
    rows.push(...found);
  }
  if (rows.length === 0) return new Set();
  const again = await readUndone(sql, new Set(rows.map(({ operation }) => operation)));
  return new Set(rows.flatMap((row) => (again.has(row.operation) ? [] : row.undoes)));
}

/** The values from before some changes, of fields other than the expiry, which is derived. */
export function valuesBefore(changes: Change["fields"]): Partial<Domain> {
  const fields = changes.filter(({ field }) => isField(field) && field !== "expires");
  const pairs = fields.map(({ field, before }) => [field, before]);
  // True because a change's `before` is what `pastValue` read from a domain's field of that name.
  const values = Object.fromEntries(pairs) as Partial<Domain>;
  return values.name === undefined ? values : { ...values, ...spell(values.name) };
}

/** A change before it is stored; without an id it gets one. */
type NewChange = Pick<Change, "action" | "fields"> & {
  id?: string;
  domainId: string;
  reports?: ChangedReports;
};

export async function addChanges(
  sql: SQL,
  changes: readonly NewChange[],
  { by, at, operation, importId }: Author,
): Promise<void> {
  const rows = changes.map(({ id = changeIdAt(at), domainId, action, fields, reports }) => {
    // Nothing went, and what came has the id of the change, as each report of an import has.
    const isOwn = reports?.removed.length === 0 && reports.added.every((each) => each === id);
    return {
      id,
      domain_id: domainId,
      at,
      made_by: by.id,
      made_by_name: historyName(by),
      action,
      fields: JSON.stringify(fields),
      import_id: importId ?? null,
      operation: operation ?? null,
      reports: reports && !isOwn ? JSON.stringify(reports) : null,
    };
  });
  await insertRows(sql, "changes", rows);
}

/** A row of `CHANGE_COLUMNS`; `fields` is JSON. */
export type ChangeRow = Required<Pick<Change, "id" | "at" | "by" | "byId" | "action">> & {
  fields: string;
  import_id: string | null;
  operation: string | null;
};

export type OperationChange = Change & { domainId: string; reports: ChangedReports };

export const CHANGE_COLUMNS =
  'id, at, made_by_name as "by", made_by as "byId", action, fields, import_id, operation';

export function changeOf({ id, at, by, byId, action, ...row }: ChangeRow): Change {
  const change = { id, at, by, byId, action, fields: JSON.parse(row.fields) };
  if (row.import_id !== null) return { ...change, import: row.import_id };
  // An import is undone as such.
  return row.operation === null ? change : { ...change, operation: row.operation };
}

/** Newest first, older than `after`; null if this id never existed. Deletion keeps a history. */
export async function listChanges(
  sql: SQL,
  domainId: string,
  { limit, after, sight }: { limit: number; after: string | null; sight: Sight },
): Promise<ChangePage | null> {
  const rows = await sql<(ChangeRow & { file_name: string | null })[]>`
    select ${sql.unsafe(CHANGE_COLUMNS)},
      (select file_name from imports where imports.id = import_id) as file_name
    from changes where domain_id = ${domainId}
      ${changeInSight(sql, sight)}
      ${after === null ? sql`` : sql`and id < ${after}`}
    order by id desc limit ${limit + 1}`;
  if (rows.length === 0) {
    if (after === null) return null;
    const newest = await listChanges(sql, domainId, { limit: 1, after: null, sight });
    return newest === null ? null : { items: [], next: null };
  }

  const nameOf = await readSourceNames(sql, sight);
  const { page, next } = pageOf(rows, limit, ({ id }) => id);
  const items = page.map((row) => {
    const change = changeOf(row);
    change.fields = nameChangedSources(change.fields, nameOf);
    const named = Object.assign(change, row.file_name && { fileName: row.file_name });
    return withoutHiddenFields(named, sight);
  });
  return { items, next };
}

/** The next changes behind the change `after`, "" at first: one for each domain. */
export async function listOperation(
  sql: SQL,
  operation: string,
  { limit, after }: { limit: number; after: string },
): Promise<OperationChange[]> {
  const rows = await sql<(ChangeRow & { domain_id: string; reports: string | null })[]>`
    select ${sql.unsafe(CHANGE_COLUMNS)}, domain_id, reports from changes
    where operation = ${operation} and id > ${after} order by id limit ${limit}`;
  return rows.map((row) => {
    const own: ChangedReports = { added: [row.id], removed: [] };
    const reports: ChangedReports = row.reports === null ? own : JSON.parse(row.reports);
    return Object.assign(changeOf(row), { domainId: row.domain_id, reports });
  });
}

/** The names of deleted domains, by their ids: they are in the last change of each history. */
export async function namesOfDeleted(
  sql: SQL,
  ids: readonly string[],
): Promise<Map<string, Pick<Domain, "name" | "unicode">>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; fields: string }[]>`
    select domain_id as id, fields from changes
    where domain_id in ${sql(ids)} and action = 'deleted' order by changes.id`;
  return new Map(
    rows.map(({ id, fields }) => {
      const changed: Change["fields"] = JSON.parse(fields);
      return [id, spell(String(changed.find(({ field }) => field === "name")?.before ?? ""))];
    }),
  );
}

function spell(name: string): Pick<Domain, "name" | "unicode"> {
  const parsed = parseDomainName(name);
  return "code" in parsed ? { name, unicode: name } : parsed;
}
