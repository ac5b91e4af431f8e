import type { SQL } from "bun";
import { FIELD_NAMES } from "../../shared/fields.ts";
import type { ImportCounts } from "../../shared/import.ts";
import { insertRows, updateRows } from "../database/bulk-rows.ts";
import { columnsOf } from "../domains/columns.ts";
import type { DomainName } from "../domains/domain-name.ts";
import type { Operator } from "../domains/history.ts";
import { planRows, type PlannedRow, type RowSource, type SourceRow } from "./plan-rows.ts";
import { addedTags, lookupEnd, lookupPrefix, toRecords } from "./planned-rows.ts";

/** Rows that one statement copies. */
const RANGE_ROWS = 20_000;

/** Columns of `domains` that the fields of a domain have, but for its name. */
const COLUMNS = columnsOf(FIELD_NAMES.filter((field) => field !== "name"));

/**
 * Preview rows that are the first with their names: those with a `lookup` after `from`, up to `to`.
 * They are in the order of the names, as that is how most indexes hold them.
 */
interface RowRange {
  rowsId: string;
  from: string;
  to: string;
}

/**
 * Who applies rows by which operation, when. A row key behind `stamp` is the id of an observation or
 * change; `importId` is that of an import, whose undo is its own, and absent for any other source.
 */
export type CommitStamp = Operator & { stamp: string };

/**
 * Makes planned rows part of the register, range by range, and returns their counts by class: rows
 * whose domain has changed since they were planned are compared again. Inside a transaction.
 */
export async function applyRows(
  sql: SQL,
  plan: { rowsId: string; counts: ImportCounts; source: RowSource },
  stamp: CommitStamp,
): Promise<ImportCounts> {
  const { rowsId, source } = plan;
  const counts = { ...plan.counts };
  for (let from = lookupPrefix(rowsId), more = true; more;) {
    const { last, ...range } = await nextRange(sql, { rowsId, from });
    const revalidated = await revalidate(sql, range, source, counts);
    await copyRows(sql, range, stamp);
    await copyTags(sql, range, revalidated);
    from = range.to;
    more = !last;
  }
  return counts;
}

/** Returns the next rows after `from`; `last` when there are no more. */
async function nextRange(
  sql: SQL,
  { rowsId, from }: Omit<RowRange, "to">,
): Promise<RowRange & { last: boolean }> {
  const [row] = await sql<{ rows: number; to: string | null }[]>`
    select cast(count(*) as integer) as rows, max(lookup) as "to" from (
      select lookup from import_rows where lookup > ${from} and lookup <= ${lookupEnd(rowsId)}
      order by lookup limit ${RANGE_ROWS}) r`;
  return { rowsId, from, to: row?.to ?? from, last: (row?.rows ?? 0) < RANGE_ROWS };
}

/**
 * Makes a range of preview rows part of the register, but for their tags. The plans must have been
 * checked in this transaction. Rows are inserted in the order of the indexes, which writes each page
 * once.
 */
async function copyRows(sql: SQL, range: RowRange, commit: CommitStamp): Promise<void> {
  const { from, to } = range;
  await sql`insert into registrars (label_key, label)
    select registrar_key, min(registrar) from import_rows
    where lookup > ${from} and lookup <= ${to} and class in ('new', 'changed')
      and registrar_key is not null
    group by registrar_key
    on conflict (label_key) do nothing`;
  await addDomains(sql, range, commit);
  await editDomains(sql, range, commit);
  await addObservations(sql, range, commit);
  await delayObservations(sql, range, commit);
  await addChanges(sql, range, commit);
}

async function addDomains(sql: SQL, { from, to }: RowRange, { at }: CommitStamp) {
  const values = COLUMNS.map((each) => (each === "expires_observed_at" ? OBSERVED_AT : each));
  await sql.unsafe(
    `insert into domains (id, version, name, unicode, tld, created_at, updated_at, ${COLUMNS.join(", ")})
      select domain_id, 1, name, unicode, tld, $1, $1, ${values.join(", ")}
      from import_rows where lookup > $2 and lookup <= $3 and class = 'new' order by lookup
      on conflict (name) do nothing`,
    [at, from, to],
  );
}

/** A row without a time of its own was observed by this commit, whose time is `$1`. */
const OBSERVED_AT =
  "case when expires_on is null then null else coalesce(expires_observed_at, $1) end";

async function editDomains(sql: SQL, { from, to }: RowRange, { at }: CommitStamp) {
  const sets = COLUMNS.map((column) => `${column} = r.${column}`).join(", ");
  const others = COLUMNS.filter((column) => column !== "expires_observed_at").join(", ");
  await sql.unsafe(
    `update domains set version = domains.version + 1, updated_at = $1, ${sets}
      from (select domain_id, ${others}, ${OBSERVED_AT} as expires_observed_at
        from import_rows where lookup > $2 and lookup <= $3 and class = 'changed' order by lookup) r
      where domains.id = r.domain_id`,
    [at, from, to],
  );
}

async function addObservations(sql: SQL, { from, to }: RowRange, { stamp, at }: CommitStamp) {
  await sql`insert into observations (id, domain_id, kind, source, value, observed_at)
    select ${stamp} || row_key, domain_id, 'expires', observed_source, observed_day, ${at}
    from import_rows where lookup > ${from} and lookup <= ${to}
      and class in ('new', 'changed') and observed_day is not null order by id`;
}

/**
 * Dates observations after the latest one of their domain, where that is not before this commit: a
 * clock was ahead, or another instance's still is. What the file says is the newest word.
 */
async function delayObservations(sql: SQL, { from, to }: RowRange, { stamp, at }: CommitStamp) {
  const rows = await sql<
    { id: string; domain_id: string; latest: string; expires: string | null }[]
  >`
    select ${stamp} || r.row_key as id, r.domain_id, max(o.observed_at) as latest,
      min(case when r.expires_observed_at is null then r.expires_on end) as expires
    from import_rows r join observations o on o.domain_id = r.domain_id and o.kind = 'expires'
    where r.lookup > ${from} and r.lookup <= ${to} and r.class = 'changed'
      and r.observed_day is not null and o.observed_at >= ${at} and o.id <> ${stamp} || r.row_key
    group by r.row_key, r.domain_id`;
  const delayed = rows.map(({ id, domain_id, latest, expires }) => {
    const observed_at = new Date(Date.parse(latest) + 1).toISOString();
    return { id, domain_id, expires, observed_at };
  });
  const observations = delayed.map(({ id, observed_at }) => ({ id, observed_at }));
  await updateRows(sql, "observations", observations);
  const domains = delayed
    .filter(({ expires }) => expires !== null)
    .map(({ domain_id: id, observed_at }) => ({ id, expires_observed_at: observed_at }));
  await updateRows(sql, "domains", domains);
}

async function addChanges(sql: SQL, { from, to }: RowRange, commit: CommitStamp) {
  await sql`insert into changes (id, domain_id, at, made_by, made_by_name, action, fields,
      import_id, operation)
    select ${commit.stamp} || row_key, domain_id, ${commit.at}, ${commit.by.id}, ${commit.by.name},
      case when class = 'new' then 'added' else 'edited' end, changes,
      ${commit.importId ?? null}, ${commit.operation}
    from import_rows where lookup > ${from} and lookup <= ${to} and class in ('new', 'changed')
    order by id`;
}

/** A domain, and the tags that a row adds to it: pairs of folded form and spelling. */
interface AddedTags {
  domainId: string;
  tags: readonly (readonly [string, string])[];
}

/**
 * Adds the tags of a range of preview rows to their domains, which have been copied by now. For a row
 * that was compared again, `revalidated` holds the tags, by its id.
 */
async function copyTags(
  sql: SQL,
  { from, to }: RowRange,
  revalidated: ReadonlyMap<string, AddedTags>,
): Promise<void> {
  const rows = await sql<{ id: string; domain_id: string; added_tags: string }[]>`
    select id, domain_id, added_tags from import_rows where lookup > ${from} and lookup <= ${to}
      and class in ('new', 'changed') and added_tags is not null`;
  const planned = rows
    .filter(({ id }) => !revalidated.has(id))
    .map((row): AddedTags => ({ domainId: row.domain_id, tags: JSON.parse(row.added_tags) }));
  const added = [...revalidated.values(), ...planned];
  const labels = new Map(added.flatMap(({ tags }) => [...tags]));
  const rowsOfTags = [...labels].map(([label_key, label]) => ({ label_key, label }));
  await insertRows(sql, "tags", rowsOfTags, "on conflict (label_key) do nothing");
  const pairs = added.flatMap(({ domainId, tags }) =>
    tags.map(([tag_key]) => ({ domain_id: domainId, tag_key })),
  );
  await insertRows(sql, "domain_tags", pairs);
}

/** Rows that are compared again at a time. */
const COMPARED_ROWS = 500;

type StaleRow = DomainName & {
  id: string;
  row_key: string;
  line: number;
  class: PlannedRow["class"];
  said: string;
  problems: string;
};

/**
 * Compares those rows of a range with the register again whose domain was added, changed or deleted
 * since the preview, and moves them from class to class in `counts`. Returns the tags that they add
 * now, by the ids of the rows.
 */
async function revalidate(
  sql: SQL,
  range: RowRange,
  source: RowSource,
  counts: ImportCounts,
): Promise<Map<string, AddedTags>> {
  const revalidated = new Map<string, AddedTags>();
  const rows = await listStale(sql, range);
  for (let start = 0; start < rows.length; start += COMPARED_ROWS) {
    const stale = rows.slice(start, start + COMPARED_ROWS);
    const planned = await planRows(sql, stale.map(toSourceRow), source);
    await sql`delete from import_rows where id in ${sql(stale.map(({ id }) => id))}`;
    const pairs = stale.flatMap((row, index) => {
      const plan = planned[index];
      return plan === undefined ? [] : [{ key: row.row_key, id: row.id, row: plan }];
    });
    await insertRows(sql, "import_rows", toRecords(range.rowsId, pairs));
    for (const { id, row } of pairs) {
      const { target } = row;
      const tags = target === null ? [] : addedTags(target);
      revalidated.set(id, { domainId: target?.after.id ?? "", tags });
      counts[row.class] += 1;
    }
    for (const row of stale) counts[row.class] -= 1;
  }
  return revalidated;
}

async function listStale(sql: SQL, { from, to }: RowRange): Promise<StaleRow[]> {
  const rows = await sql<StaleRow[]>`
    select r.id, r.row_key, r.line, r.class, r.said, r.problems, r.name, r.unicode, r.tld
    from import_rows r left join domains d on d.name = r.name
    where r.lookup > ${from} and r.lookup <= ${to} and (
      (r.class = 'new' and d.id is not null) or (r.class in ('changed', 'same') and (
        d.id is null or d.id <> r.domain_id or d.version <> r.base_version)))
    order by r.lookup`;
  return [...rows];
}

function toSourceRow(row: StaleRow): SourceRow {
  const { line, name, unicode, tld } = row;
  return {
    line,
    name: { name, unicode, tld },
    values: JSON.parse(row.said),
    problems: JSON.parse(row.problems),
    repeats: null,
  };
}
