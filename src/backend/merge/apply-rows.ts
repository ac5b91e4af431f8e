import type { SQL } from "bun";
import { FIELD_NAMES } from "../../shared/fields.ts";
import type { ImportCounts } from "../../shared/import.ts";
import type { Instant } from "../../shared/day.ts";
import { chunks, insertRows, type SqlRow, updateRows } from "../database/bulk-rows.ts";
import { type Fragment, readColumn } from "../database/database.ts";
import { columnsOf } from "../domains/columns.ts";
import type { DomainName } from "../domains/domain-name.ts";
import { historyName, type Operator } from "../domains/write/history.ts";
import { planRows, type PlannedRow, type RowSource } from "./plan-rows.ts";
import { countMoves, isSkipped, isTaken, rowId, toRecord } from "./preview-rows.ts";

const RANGE_ROWS = 20_000;

/** Columns of `domains` that follow from the fields of a domain: of its name, and of all others but one. */
const NAME_COLUMNS = columnsOf(["name"]);
const OTHER_COLUMNS = columnsOf(FIELD_NAMES.filter((field) => field !== "name"));
const COLUMNS = [...OTHER_COLUMNS.filter((column) => column !== "expires_observed_at"), "words"];

interface RowRange {
  rowsId: string;
  from: string;
  to: string;
}

/** Who commits an import, when. A row key behind `stamp` is the id of an observation or change. */
type CommitStamp = Operator & { importId: string; stamp: string };

/**
 * Makes planned rows part of the register, as `writeDomains` would. Rows whose domain has changed since
 * are compared again: if one would do something else now, no domain is written. Returns whether they were
 * applied, and sets `counts`. Rows are read in the order in which they were written and inserted in that
 * of the indexes: random access to the pages of 200,000 takes more memory than there is.
 */
export async function applyRows(
  sql: SQL,
  { rowsId, counts, source }: { rowsId: string; counts: ImportCounts; source: RowSource },
  stamp: CommitStamp,
): Promise<boolean> {
  const ranges = await listRanges(sql, rowsId);
  let moved = 0;
  for (const range of ranges) moved += await revalidate(sql, range, source, counts);
  if (moved > 0) {
    Object.assign(counts, await countMoves(sql, rowsId));
    return false;
  }
  await sql`insert into registrars (label_key, label)
    select registrar_key, min(registrar) from import_rows
    where ${isWanted(sql, rowsId)} and registrar_key is not null
    group by registrar_key
    on conflict (label_key) do nothing`;
  if (counts.new > 0) await addDomains(sql, rowsId, stamp);
  if (counts.changed > 0) await editDomains(sql, rowsId, stamp);
  await addObservations(sql, rowsId, stamp);
  if (counts.changed > 0) await delayObservations(sql, rowsId, stamp);
  await addChanges(sql, rowsId, stamp);
  for (const range of ranges) await copyTags(sql, range);
  return true;
}

async function listRanges(sql: SQL, rowsId: string): Promise<RowRange[]> {
  const ranges: RowRange[] = [];
  const end = rowId(rowsId, "A");
  for (let from = rowId(rowsId, ""); from !== end;) {
    const [to = end] = await readColumn(sql`
      select id from import_rows where id > ${from} and id < ${end}
      order by id limit 1 offset ${RANGE_ROWS - 1}`);
    ranges.push({ rowsId, from, to });
    from = to;
  }
  return ranges;
}

function isWanted(sql: SQL, rowsId: string, classes: ("new" | "changed")[] = ["new", "changed"]) {
  return sql`id > ${rowId(rowsId, "")} and id < ${rowId(rowsId, "A")} and class in ${sql(classes)}
    and not ${isSkipped(sql, rowsId)}`;
}

async function addDomains(sql: SQL, rowsId: string, { at }: CommitStamp) {
  const names = sql.unsafe(NAME_COLUMNS.join(", "));
  await sql`insert into domains (
      id, version, ${names}, created_at, updated_at, ${sql.unsafe(COLUMNS.join(", "))}, expires_observed_at)
    select domain_id, 1, ${names}, ${at}, ${at}, ${sql.unsafe(COLUMNS.join(", "))}, ${observedAt(sql, at)}
    from import_rows where ${isTaken(sql, rowsId)} and class = 'new' order by name
    on conflict (name) do nothing`;
}

async function editDomains(sql: SQL, rowsId: string, { at }: CommitStamp) {
  const sets = COLUMNS.map((column) => `${column} = r.${column}`).join(", ");
  await sql`update domains set version = domains.version + 1, updated_at = ${at},
      expires_observed_at = r.observed_at, ${sql.unsafe(sets)}
    from (select domain_id, ${sql.unsafe(COLUMNS.join(", "))}, ${observedAt(sql, at)} as observed_at
      from import_rows where ${isWanted(sql, rowsId, ["changed"])} order by name) r
    where domains.id = r.domain_id`;
}

/** A row without a time of its own was observed by this commit. */
function observedAt(sql: SQL, at: Instant): Fragment {
  return sql`case when expires_on is null then null else coalesce(expires_observed_at, ${at}) end`;
}

async function addObservations(sql: SQL, rowsId: string, { stamp, at }: CommitStamp) {
  await sql`insert into observations (id, domain_id, kind, source, value, observed_at)
    select ${stamp} || row_key, domain_id, 'expires', observed_source, observed_day, ${at}
    from import_rows where ${isWanted(sql, rowsId)} and observed_day is not null order by id`;
}

/** Dates observations after the latest of their domain, whatever clocks say: the file is newest. */
async function delayObservations(sql: SQL, rowsId: string, { stamp, at }: CommitStamp) {
  const rows = await sql<
    { id: string; domain_id: string; latest: string; expires: string | null }[]
  >`
    select ${stamp} || r.row_key as id, r.domain_id, max(o.observed_at) as latest,
      min(case when r.expires_observed_at is null then r.expires_on end) as expires
    from (select * from import_rows where ${isWanted(sql, rowsId, ["changed"])}) r
    join observations o on o.domain_id = r.domain_id and o.kind = 'expires'
    where r.observed_day is not null and o.observed_at >= ${at} and o.id <> ${stamp} || r.row_key
    group by r.row_key, r.domain_id`;
  const after = (latest: string) => new Date(Date.parse(latest) + 1).toISOString();
  const observations = rows.map(({ id, latest }) => ({ id, observed_at: after(latest) }));
  await updateRows(sql, "observations", observations);
  const domains = rows
    .filter(({ expires }) => expires !== null)
    .map(({ domain_id: id, latest }) => ({ id, expires_observed_at: after(latest) }));
  await updateRows(sql, "domains", domains);
}

async function addChanges(sql: SQL, rowsId: string, commit: CommitStamp) {
  await sql`insert into changes (id, domain_id, at, made_by, made_by_name, action, fields,
      import_id, operation)
    select ${commit.stamp} || row_key, domain_id, ${commit.at}, ${commit.by.id}, ${historyName(commit.by)},
      case when class = 'new' then 'added' else 'edited' end, changes,
      ${commit.importId}, ${commit.operation}
    from import_rows where ${isWanted(sql, rowsId)} order by id`;
}

/** Adds the tags of a range of rows to their domains, which have been copied by now. */
async function copyTags(sql: SQL, { rowsId, from, to }: RowRange): Promise<void> {
  const rows = await sql<{ domain_id: string; added_tags: string }[]>`
    select domain_id, added_tags from import_rows
    where id > ${from} and id <= ${to} and class in ('new', 'changed') and added_tags is not null
      and not ${isSkipped(sql, rowsId)}`;
  const labels = new Map<string, string>();
  const pairs = rows.flatMap(({ domain_id, added_tags }) => {
    const tags: [string, string][] = JSON.parse(added_tags);
    for (const [key, label] of tags) labels.set(key, label);
    return tags.map(([tag_key]) => ({ domain_id, tag_key }));
  });
  const rowsOfTags = [...labels].map(([label_key, label]) => ({ label_key, label }));
  await insertRows(sql, "tags", rowsOfTags, "on conflict (label_key) do nothing");
  await insertRows(sql, "domain_tags", pairs);
}

type StaleRow = DomainName &
  Pick<PlannedRow, "class" | "line"> &
  Record<"id" | "row_key" | "said" | "problems" | "changes", string>;

/** Compares rows again whose domain has changed since, and moves them in `counts`. Returns how many differ. */
async function revalidate(
  sql: SQL,
  range: RowRange,
  source: RowSource,
  counts: ImportCounts,
): Promise<number> {
  let moved = 0;
  for (const stale of chunks(await listStale(sql, range))) {
    const read = stale.map(({ line, name, unicode, said, problems }) => ({
      line,
      name: { name, unicode },
      values: JSON.parse(said),
      problems: JSON.parse(problems),
      repeats: null,
    }));
    const planned = await planRows(sql, read, source);
    await sql`delete from import_rows where id in ${sql(stale.map(({ id }) => id))}`;
    const records: SqlRow[] = [];
    for (const [index, { row_key, class: before, changes }] of stale.entries()) {
      const now = planned[index];
      if (now === undefined) continue;
      records.push(toRecord(range.rowsId, row_key, now));
      counts[before] -= 1;
      counts[now.class] += 1;
      if (now.class !== before || JSON.stringify(now.changes) !== changes) moved += 1;
    }
    await insertRows(sql, "import_rows", records);
  }
  return moved;
}

/** Checks and accounts may confirm a day without a new version of its domain. */
async function listStale(sql: SQL, { rowsId, from, to }: RowRange): Promise<StaleRow[]> {
  return sql<StaleRow[]>`
    select r.id, r.row_key, r.line, r.class, r.said, r.problems, r.changes, r.name, r.unicode
    from (select * from import_rows
      where id > ${from} and id <= ${to} and not ${isSkipped(sql, rowsId)}) r
    left join domains d on d.name = r.name
    where (r.class in ('new', 'changed') and r.words is null)
      or (r.class = 'new' and d.id is not null) or (r.class in ('changed', 'same') and (
      d.id is null or d.id <> r.domain_id or d.version <> r.base_version))
      or (r.class = 'changed' and (r.base_reports is null or r.base_reports <> (
        select count(*) from observations o where o.domain_id = d.id and o.kind = 'expires')))
    order by r.id`;
}
