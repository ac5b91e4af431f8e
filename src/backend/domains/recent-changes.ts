import type { SQL } from "bun";
import type { RecentChange } from "../../shared/register.ts";
import { CHANGE_COLUMNS, changeOf, namesOfDeleted, type ChangeRow } from "./history.ts";

/** Domains that each entry names. */
const ITEMS = 3;

/** Edits of single domains, by one person, that become one entry: how far apart, and how many. */
const JOINED_WITHIN_MS = 10 * 60_000;
const MAX_JOINED_EDITS = 100;

/** Later than every instant. */
const END_OF_TIME = "9999";

/** The changes that one request wrote: all of them have its instant. */
interface Group {
  at: string;
  import_id: string | null;
  operation: string | null;
  names: number;
}

/**
 * What was done last, newest first: an entry for each operation and import. Decisions on one domain
 * after another are one entry too.
 */
export async function listRecentChanges(sql: SQL, limit: number): Promise<RecentChange[]> {
  const entries: RecentChange[] = [];
  for (let before = END_OF_TIME; entries.length <= limit;) {
    const [latest] = await sql<{ at: string | null }[]>`
      select max(at) as at from changes where at < ${before}`;
    if (latest === undefined || latest.at === null) break;
    before = latest.at;
    const together = await sql<Group[]>`
      select at, import_id, operation, cast(count(*) as integer) as names from changes
      where at = ${before} group by at, import_id, operation order by operation desc`;
    for (const group of together) {
      const entry = await describeGroup(sql, group);
      const last = entries.at(-1);
      if (last && isContinued(last, entry)) {
        last.names += 1;
        last.items.push(...entry.items);
      } else {
        entries.push(entry);
      }
    }
  }
  for (const { items } of entries) items.splice(ITEMS);
  return entries.slice(0, limit);
}

/** Whether an entry is one more edit of a single domain, of the same fields and by the same person. */
function isContinued(last: RecentChange, { at, by, action, names, items }: RecentChange): boolean {
  const [edit] = items;
  const fieldsOf = (item: typeof edit) => item?.fields.map(({ field }) => field).join();
  return (
    action === "edited" &&
    last.action === action &&
    last.by === by &&
    names === 1 &&
    last.names === last.items.length &&
    last.names < MAX_JOINED_EDITS &&
    Date.parse(last.at) - Date.parse(at) <= JOINED_WITHIN_MS &&
    fieldsOf(last.items[0]) === fieldsOf(edit) &&
    last.items.every(({ domainId }) => domainId !== edit?.domainId)
  );
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
