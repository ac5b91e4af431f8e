import type { SQL } from "bun";
import type { RecentChange } from "../../shared/register.ts";
import { CHANGE_COLUMNS, changeOf, namesOfDeleted, type ChangeRow } from "./history.ts";

/** Domains that each entry names. */
const ITEMS = 3;

/** Later than every instant. */
const END_OF_TIME = "9999";

/** The changes that one request wrote: all of them have its instant. */
interface Group {
  at: string;
  import_id: string | null;
  operation: string | null;
  names: number;
}

/** What was done last, newest first: an entry for each operation and import. */
export async function listRecentChanges(sql: SQL, limit: number): Promise<RecentChange[]> {
  const groups: Group[] = [];
  for (let before = END_OF_TIME; groups.length < limit;) {
    const [latest] = await sql<{ at: string | null }[]>`
      select max(at) as at from changes where at < ${before}`;
    if (latest === undefined || latest.at === null) break;
    before = latest.at;
    const together = await sql<Group[]>`
      select at, import_id, operation, cast(count(*) as integer) as names from changes
      where at = ${before} group by at, import_id, operation order by operation desc`;
    groups.push(...together);
  }
  const entries: RecentChange[] = [];
  for (const group of groups.slice(0, limit)) entries.push(await describeGroup(sql, group));
  return entries;
}

async function describeGroup(sql: SQL, group: Group): Promise<RecentChange> {
  const { at, import_id: importId, operation, names } = group;
  const rows = await sql<(ChangeRow & { domain_id: string; unicode: string | null })[]>`
    select ${sql.unsafe(CHANGE_COLUMNS)}, domain_id,
      (select unicode from domains where domains.id = domain_id) as unicode
    from changes where at = ${at}
      and ${importId === null ? sql`import_id is null` : sql`import_id = ${importId}`}
      and ${operation === null ? sql`operation is null` : sql`operation = ${operation}`}
    order by id limit ${ITEMS}`;
  const deleted = rows.filter(({ unicode }) => unicode === null).map((row) => row.domain_id);
  const lastNames = await namesOfDeleted(sql, deleted);
  const items = rows.map((row) => {
    const name = row.unicode ?? lastNames.get(row.domain_id)?.unicode ?? "";
    return Object.assign(changeOf(row), { domainId: row.domain_id, name });
  });
  const [{ by, action: first } = { by: "", action: "" }] = items;
  const imported = importId === null ? null : await readImportNames(sql, importId);
  const commit = imported?.committedAt === at ? "imported" : "undone";
  const action = imported === null ? first : commit;
  const fileName = imported?.fileName ?? null;
  return { operation, import: importId, fileName, at, by, action, names, items };
}

async function readImportNames(sql: SQL, id: string) {
  const [row] = await sql<{ fileName: string; committedAt: string | null }[]>`
    select file_name as "fileName", committed_at as "committedAt" from imports where id = ${id}`;
  return row ?? null;
}
