import type { SQL } from "bun";
import type { Fragment } from "../database/database.ts";
import type { RecentChange } from "../../shared/register.ts";
import { CHANGE_COLUMNS, changeOf, namesOfDeleted, type ChangeRow } from "./write/history.ts";
import { nameChangedSources, readSourceNames } from "./source-names.ts";

/** Domains that each entry names. */
const ITEMS = 3;

/** Edits of single domains, by one person, that become one entry: how far apart, and how many. */
const JOINED_WITHIN_MS = 10 * 60_000;
const MAX_JOINED_EDITS = 100;

/** Groups that one statement reads: more than home shows, unless many become one entry. */
const PAGE_SIZE = 100;

/** The changes that one request wrote, with the id of the first: all of them have its instant. */
interface Group {
  at: string;
  import_id: string | null;
  operation: string | null;
  names: number;
  first: string;
}

type Item = RecentChange["items"][number];

/**
 * What was done last, newest first: an entry for each operation and import. Decisions on one domain
 * after another are one entry too.
 */
export async function listRecentChanges(sql: SQL, limit: number): Promise<RecentChange[]> {
  const entries: RecentChange[] = [];
  for (let seen = 0; entries.length <= limit; seen += PAGE_SIZE) {
    // In the order of the index, so that no more of it is read than this.
    const groups = await sql<Group[]>`
      select at, import_id, operation, cast(count(*) as integer) as names, min(id) as first
      from changes group by at, import_id, operation
      order by at desc, import_id desc, operation desc limit ${PAGE_SIZE} offset ${seen}`;
    if (groups.length === 0) break;
    const items = await readItems(sql, sql`id in ${sql(groups.map(({ first }) => first))}`);
    const byId = new Map(items.map((item) => [item.id, item]));
    for (const group of groups) {
      const item = byId.get(group.first);
      if (item === undefined) continue;
      const last = entries.at(-1);
      if (last && isContinued(last, group, item)) {
        last.names += 1;
        last.items.push(item);
        // Each of them is undone by itself.
        last.operation = null;
      } else {
        const { at, import_id: importId, operation, names } = group;
        const { by, byId: personId = null, action } = item;
        const start = { import: importId, fileName: null, action, items: [item] };
        entries.push({ operation, at, by, byId: personId, names, ...start });
      }
    }
  }
  const shown = entries.slice(0, limit);
  for (const entry of shown) await complete(sql, entry);
  for (const [index, entry] of shown.entries()) {
    if (shown.slice(index + 1).some((older) => isUndoOf(entry, older))) entry.action = "undone";
  }
  return shown;
}

/** Whether an entry sets back what an older one did: the same fields of the same domain, swapped. */
function isUndoOf({ items: [undo] }: RecentChange, { items }: RecentChange): boolean {
  const done = items.find(({ domainId }) => domainId === undo?.domainId);
  if (undo?.action !== "edited" || done?.action !== "edited") return false;
  const swapped = undo.fields.map(({ field, before, after }) => {
    return { field, before: after, after: before };
  });
  return Bun.deepEquals(swapped, done.fields);
}

/** Whether a group is one more edit of a single domain, of the same fields and by the same person. */
function isContinued(last: RecentChange, group: Group, edit: Item): boolean {
  const fieldsOf = (item: Item | undefined) => item?.fields.map(({ field }) => field).join();
  return (
    edit.action === "edited" &&
    group.import_id === null &&
    group.names === 1 &&
    last.action === "edited" &&
    last.import === null &&
    last.byId === edit.byId &&
    last.by === edit.by &&
    last.names === last.items.length &&
    last.names < MAX_JOINED_EDITS &&
    Date.parse(last.at) - Date.parse(group.at) <= JOINED_WITHIN_MS &&
    fieldsOf(last.items[0]) === fieldsOf(edit) &&
    last.items.every(({ domainId }) => domainId !== edit.domainId)
  );
}

/** Adds the other items of an entry, and what is to be said of an import. */
async function complete(sql: SQL, entry: RecentChange): Promise<void> {
  const { at, import: importId, operation, names, items } = entry;
  if (names > items.length) {
    entry.items = await readItems(
      sql,
      sql`at = ${at}
        and ${importId === null ? sql`import_id is null` : sql`import_id = ${importId}`}
        and ${operation === null ? sql`operation is null` : sql`operation = ${operation}`}`,
    );
  }
  entry.action = sameDecision(entry.items) ?? entry.action;
  entry.items.splice(ITEMS);
  if (importId === null) {
    if (entry.action === "added" && (await wasDeleted(sql, items[0]))) entry.action = "restored";
    return;
  }
  const [found] = await sql<{ fileName: string; committedAt: string | null }[]>`
    select file_name as "fileName", committed_at as "committedAt" from imports
    where id = ${importId}`;
  entry.fileName = found?.fileName ?? null;
  entry.action = found?.committedAt === at ? "imported" : "undone";
  // It is undone as an import.
  entry.operation = null;
}

/** The decision that all these changes made, and nothing else. */
function sameDecision(items: readonly Item[]): string | null {
  const made = items.map(({ fields: [one, ...others] }) =>
    one?.field === "decision" && others.length === 0 ? one.after : null,
  );
  const [decision] = made;
  return typeof decision === "string" && made.every((each) => each === decision) ? decision : null;
}

async function wasDeleted(sql: SQL, added: Item | undefined): Promise<boolean> {
  if (added === undefined) return false;
  const [found] = await sql`
    select 1 from changes where domain_id = ${added.domainId} and action = 'deleted'
      and at < ${added.at} limit 1`;
  return found !== undefined;
}

/** The first changes that a condition finds, at most a page of them, with the names of their domains. */
async function readItems(sql: SQL, condition: Fragment): Promise<Item[]> {
  const rows = await sql<(ChangeRow & { domain_id: string; unicode: string | null })[]>`
    select ${sql.unsafe(CHANGE_COLUMNS)}, domain_id,
      (select unicode from domains where domains.id = domain_id) as unicode
    from changes where ${condition} order by id limit ${PAGE_SIZE}`;
  const deleted = rows.filter(({ unicode }) => unicode === null).map((row) => row.domain_id);
  const lastNames = await namesOfDeleted(sql, deleted);
  const nameOf = await readSourceNames(sql);
  return rows.map((row) => {
    const name = row.unicode ?? lastNames.get(row.domain_id)?.unicode ?? "";
    const change = changeOf(row);
    change.fields = nameChangedSources(change.fields, nameOf);
    return Object.assign(change, { domainId: row.domain_id, name });
  });
}
