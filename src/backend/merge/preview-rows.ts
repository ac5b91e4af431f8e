import type { SQL } from "bun";
import { countRows, type Fragment, type Job, instantIn } from "../database/database.ts";
import { FIELD_NAMES } from "../../shared/fields.ts";
import { READ_AS_HOST, type ImportCounts } from "../../shared/import.ts";
import type { SqlRow } from "../database/bulk-rows.ts";
import { toColumns } from "../domains/columns.ts";
import { LOSING } from "../domains/list/filter-condition.ts";
import { searchWords } from "../domains/list/search.ts";
import { AT_COMMIT, type PlannedRow, type Target } from "./plan-rows.ts";

/*
 * The rows of a preview are in the table `import_rows` under an id of their own, to which their import
 * points: another preview takes the place of one at once, and rows without an import are left over.
 */

export async function createPreviewRows(sql: SQL): Promise<string> {
  const id = Bun.randomUUIDv7("base64url");
  await sql`insert into import_stagings (id, created_at) values (${id}, ${instantIn(sql, 0)})`;
  return id;
}

export const removePreviewRows: Job<string, void> = {
  name: "remove preview rows",
  async run(sql, rowsId) {
    await sql`delete from import_rows
      where id > ${rowId(rowsId, "0")} and id < ${rowId(rowsId, "A")}`;
    await sql`delete from import_stagings where id = ${rowsId}`;
  },
};

/** The number of a row in a file as its key: text that sorts as the number does. */
export function rowKey(number: number): string {
  return String(number).padStart(12, "0");
}

export function rowId(rowsId: string, key: string): string {
  return `${rowsId}.${key}`;
}

/** Precedes the name in the column `lookup`; sorts before all rows of the preview. */
function lookupPrefix(rowsId: string): string {
  return `${rowsId} `;
}

/** Sorts after every `lookup` of a preview: "!" follows the space. */
export function lookupEnd(rowsId: string): string {
  return `${rowsId}!`;
}

/** The same for rows that a person left out: a commit never gets there. */
function skippedPrefix(rowsId: string): string {
  return `${rowsId}~`;
}

/** Rows of a preview that a commit takes. */
export function isTaken(sql: SQL, rowsId: string): Fragment {
  return sql`(lookup > ${lookupPrefix(rowsId)} and lookup < ${lookupEnd(rowsId)})`;
}

export function isSkipped(sql: SQL, rowsId: string): Fragment {
  return sql`(lookup > ${skippedPrefix(rowsId)} and lookup < ${`${rowsId}~~`})`;
}

/** Leaves rows out that a preview takes, or takes in what it left out, and moves them in `counts`. */
export async function skipRows(
  sql: SQL,
  { rowsId, counts }: { rowsId: string; counts: ImportCounts },
  { rows, skipped }: { rows: Fragment; skipped: boolean },
): Promise<void> {
  const to = skipped ? skippedPrefix(rowsId) : lookupPrefix(rowsId);
  const moved = await sql<
    { class: PlannedRow["class"]; partly: number | null; status: string | null; rows: number }[]
  >`
    select class, partly, status_key as status, cast(count(*) as integer) as rows
    from import_rows where ${rows} group by class, partly, status_key`;
  await sql`update import_rows set lookup = ${to} || name where ${rows}`;
  for (const group of moved) {
    const by = skipped ? group.rows : -group.rows;
    counts[group.class] -= by;
    counts.skipped += by;
    if (group.partly === 1) counts.partly -= by;
    if (LOSING.has(group.status)) counts.losing -= by;
  }
  Object.assign(counts, await countMoves(sql, rowsId));
}

/** Counts what the rows that are not left out do beside their class. */
export async function countMoves(sql: SQL, rowsId: string) {
  const groups = await sql<
    { from: string | null; to: string; domains: number; secondDates: number }[]
  >`
    select moves_from as "from", moves_to as "to", cast(count(*) as integer) as domains,
      cast(coalesce(sum(second_date), 0) as integer) as "secondDates"
    from import_rows where (moves_from is not null or second_date = 1) and ${isTaken(sql, rowsId)}
    group by 1, 2 order by 3 desc, 1, 2`;
  const replaced = await sql<{ fields: string; domains: number }[]>`
    select by_hand as fields, cast(count(*) as integer) as domains from import_rows
    where by_hand is not null and ${isTaken(sql, rowsId)} group by by_hand`;
  const byHand = FIELD_NAMES.flatMap((field) => {
    const having = replaced.filter(({ fields }) => fields.split(",").includes(field));
    const domains = having.reduce((sum, each) => sum + each.domains, 0);
    return domains === 0 ? [] : { field, domains };
  });
  return {
    byHand: byHand.toSorted((one, other) => other.domains - one.domains),
    moves: groups.flatMap(({ from, to, domains }) => (from === null ? [] : { from, to, domains })),
    secondDates: groups.reduce((sum, { secondDates }) => sum + secondDates, 0),
  };
}

/** Leaves the rows out of a new preview whose names were left out of the one before. */
export async function skipAgain(
  sql: SQL,
  before: string,
  preview: { rowsId: string; counts: ImportCounts },
): Promise<void> {
  // Without `isTaken`: Postgres guesses that a new range holds one row, and compares each with all.
  const rows = sql`lookup in (select ${lookupPrefix(preview.rowsId)} || name from import_rows
    where ${isSkipped(sql, before)})`;
  await skipRows(sql, preview, { rows, skipped: true });
}

/** Whether a row will be imported without a value that could not be read. */
export function isReadInPart({ target, problems }: PlannedRow): boolean {
  return target !== null && problems.some(({ code }) => code !== READ_AS_HOST);
}

export function toRecord(rowsId: string, key: string, row: PlannedRow): SqlRow {
  return Object.assign(row.target ? targetColumns(row.target) : toColumns(row.name ?? {}), {
    id: rowId(rowsId, key),
    lookup: row.target === null ? null : lookupPrefix(rowsId) + row.target.after.name,
    staging: rowsId,
    row_key: key,
    line: row.line,
    class: row.class,
    repeats: row.repeats,
    said: JSON.stringify(row.values),
    problems: JSON.stringify(row.problems),
    partly: isReadInPart(row) ? 1 : null,
    changes: JSON.stringify(row.changes),
  });
}

function targetColumns(target: Target): SqlRow {
  const { before, reportCount, after, reports, addedTags, move, byHand, hasSecondDate } = target;
  const [report] = reports;
  const columns = toColumns(after);
  if (after.expires?.observedAt === AT_COMMIT) columns["expires_observed_at"] = null;
  return Object.assign(columns, {
    words: searchWords(after),
    domain_id: after.id,
    base_version: before?.version ?? null,
    base_reports: reportCount,
    observed_day: report?.date ?? null,
    observed_source: report?.source ?? null,
    added_tags: addedTags.length === 0 ? null : JSON.stringify(addedTags),
    registrar: after.registrar,
    moves_from: move?.from ?? null,
    moves_to: move?.to ?? null,
    second_date: hasSecondDate ? 1 : null,
    by_hand: byHand.join() || null,
  });
}

/** Selects the domains at a registrar that are in no row of a preview. */
interface MissingFrom {
  registrarKey: string;
  rowsId: string;
  /** The time of the preview: a domain that was added later is not missing. */
  before: string;
}

export function countMissing(sql: SQL, from: MissingFrom): Promise<number> {
  return countRows(sql, sql`domains d where ${isMissing(sql, from)}`);
}

export function listMissing(
  sql: SQL,
  from: MissingFrom,
  { after, limit }: { after: string; limit: number },
) {
  return sql<{ name: string; unicode: string }[]>`
    select name, unicode from domains d where name > ${after} and ${isMissing(sql, from)}
    order by name limit ${limit}`;
}

function isMissing(sql: SQL, { registrarKey, rowsId, before }: MissingFrom) {
  return sql`registrar_key = ${registrarKey} and created_at <= ${before} and archived_on is null
    and not exists (select 1 from import_rows
      where lookup in (${lookupPrefix(rowsId)} || d.name, ${skippedPrefix(rowsId)} || d.name))`;
}
