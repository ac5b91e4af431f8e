import type { SQL } from "bun";
import type { Change, ChangeKind, RecentChanges } from "../../shared/changes.ts";
import { DECISION_LABELS, DECISIONS, type Domain } from "../../shared/domain.ts";
import { fieldInWords, FIELDS, isField } from "../../shared/fields.ts";
import type { RecentChange } from "../../shared/register.ts";
import { parseSource } from "../../shared/source.ts";
import { type Fragment, hasRows, readColumn } from "../database/database.ts";
import { EVERYTHING, type Sight } from "../http/route.ts";
import { CHANGES_CURSOR, changesCondition, type ChangesQuery } from "./changes-query.ts";
import { changeInSight } from "./list/filter-condition.ts";
import { withoutHiddenFields } from "./list/shown.ts";
import {
  CHANGE_COLUMNS,
  changeOf,
  namesOfDeleted,
  readUndone,
  refusedName,
  type ChangeRow,
} from "./write/history.ts";

/** Edits of single domains by one maker that become one entry, and so one filter: how far apart, and how many. */
const JOINED_WITHIN_MS = 10 * 60_000;
const MAX_JOINED_EDITS = 50;

/** Groups of a page. Only neighbours on one page become one entry. */
const PAGE_SIZE = 50;

/** Changes that one request compares with a filter, or what finds little would read all there are. */
const MAX_COMPARED = 2000;

/** Changes that tell what their group did: those of an operation do the same. */
const MAX_DESCRIBED = 10;

/** `size`: the groups of a page. */
type SeenQuery = ChangesQuery & { sight: Sight; size?: number };

/** The changes that one request wrote, with the id of the first: all of them have its instant. */
interface Group {
  at: string;
  import_id: string | null;
  operation: string | null;
  names: number;
  first: string;
}

type Item = Change &
  Pick<Domain, "name" | "unicode"> & { domainId: string; account: string | null };

/** `undo` sets back what was done, `redo` an undo. */
type Did = keyof typeof PREFIXES;

/** Groups with their first changes, and what they did. */
interface Entry {
  groups: Group[];
  items: Item[];
  did: Did;
  isUndone: boolean;
  /** Who did what, as text: what single edits that become one have in common. */
  deed: string;
}

/** Pages that home reads at most, where little of them is in sight. */
const MAX_LAST_PAGES = 20;

/** The last changes that home shows. */
export async function listLastChanges(
  sql: SQL,
  limit: number,
  sight: Sight,
): Promise<RecentChange[]> {
  const entries: RecentChange[] = [];
  let after: string | null | undefined;
  for (let pages = 0; entries.length < limit && after !== null && pages < MAX_LAST_PAGES; pages++) {
    // More than are shown: edits of one domain after another are one entry.
    const size = 3 * limit;
    const page = await listRecentChanges(sql, { ...(after && { after }), sight, size });
    entries.push(...page.items);
    after = page.next;
  }
  return entries.slice(0, limit);
}

/**
 * What was done, newest first: an entry for each operation, import and reading. Edits of one domain
 * after another are one entry too. A page may be empty, and have a next one.
 */
async function listRecentChanges(sql: SQL, query: SeenQuery): Promise<RecentChanges> {
  const { sight } = query;
  const { groups, next } = await readGroups(sql, query);
  const isFirst = sql`id in ${sql(groups.map(({ first }) => first))}`;
  const firsts = await readItems(sql, isFirst, sight);
  const byId = new Map(firsts.map((item) => [item.id, item]));
  const operations = groups.flatMap(({ operation }) => operation ?? []);
  const undone = await readUndone(sql, new Set(operations));
  const undos = await sql<{ operation: string; did: Did }[]>`
    select operation, case redo when 1 then 'redo' else 'undo' end as did
    from undos where operation in ${sql(operations)}`;
  const didOf = new Map(undos.map(({ operation, did }) => [operation, did]));
  const entries: Entry[] = [];
  for (const group of groups) {
    const item = byId.get(group.first);
    if (item === undefined) continue;
    const operation = group.operation ?? "";
    const did = didOf.get(operation) ?? "do";
    const isUndone = undone.has(operation);
    const sentence = sentenceOf([item], did);
    const same = [item.action, item.byId, item.by, item.account, sentence, did, isUndone];
    const made = { groups: [group], items: [item], did, isUndone, deed: JSON.stringify(same) };
    const open = entries.find((entry) => isContinued(entry, made));
    open?.groups.push(group);
    open?.items.push(item);
    if (open === undefined) entries.push(made);
  }
  return { items: await describe(sql, entries, sight), next };
}

export const readChanges = { name: "list changes", run: listRecentChanges };

/** The groups of a page, in the order of the index, so that no more of it is read than they are. */
async function readGroups(
  sql: SQL,
  { after, change, sight, size = PAGE_SIZE, ...filter }: SeenQuery,
): Promise<{ groups: Group[]; next: string | null }> {
  const [, before = null, given = "0"] = CHANGES_CURSOR.exec(after ?? "") ?? [];
  const skipped = Number(given);
  const ids = change?.split(",") ?? [];
  const wanted = ids.length > 0 ? sql`id in ${sql(ids)}` : changesCondition(sql, filter, sight);
  let window = before === null ? sql`1 = 1` : sql`at ${skipped > 0 ? sql`<=` : sql`<`} ${before}`;
  let end: string | null = null;
  if (ids.length > 0) window = sql`at in (select at from changes where id in ${sql(ids)})`;
  else if (wanted !== null || sight !== EVERYTHING) {
    const [at = null] = await readColumn(sql`
      select at from changes where ${window} order by at desc limit 1 offset ${MAX_COMPARED}`);
    end = at;
    if (end !== null) window = sql`${window} and at >= ${end}`;
  }
  const found = await sql<Group[]>`
    select at, import_id, operation, cast(count(*) as integer) as names, min(id) as first
    from changes where ${window} ${changeInSight(sql, sight)}
    group by at, import_id, operation
    ${wanted === null ? sql`` : sql`having max(case when ${wanted} then 1 else 0 end) = 1`}
    order by at desc, import_id desc, operation desc limit ${size + 1} offset ${skipped}`;
  const groups = found.slice(0, size);
  const [last, following] = found.slice(size - 1);
  if (last === undefined || following === undefined) return { groups, next: end };
  const alike = groups.filter(({ at }) => at === last.at).length;
  const from = last.at === before ? skipped : 0;
  return { groups, next: following.at === last.at ? `${last.at}~${from + alike}` : last.at };
}

/** Whether a single edit is one more by the same maker that did the same, before those of an entry. */
function isContinued(entry: Entry, { groups: [edit], items: [item], deed }: Entry): boolean {
  const last = entry.groups.at(-1);
  const isSingle = (group?: Group) => group?.names === 1 && group.import_id === null;
  return (
    isSingle(edit) &&
    isSingle(last) &&
    item?.action === "edited" &&
    entry.deed === deed &&
    entry.items.length < MAX_JOINED_EDITS &&
    Date.parse(last?.at ?? "") - Date.parse(item.at) <= JOINED_WITHIN_MS &&
    entry.items.every(({ domainId }) => domainId !== item.domainId)
  );
}

/** Says what was done, and how it is undone, of entries as they are shown. */
async function describe(
  sql: SQL,
  entries: readonly Entry[],
  sight: Sight,
): Promise<RecentChange[]> {
  const importIds = entries.flatMap(({ groups }) => groups[0]?.import_id ?? []);
  // Without `staging`, an import can no longer be undone.
  const files = await sql<Record<"id" | "name" | "at" | "state" | "staging", string | null>[]>`
    select id, file_name as name, committed_at as at, state, staging from imports
    where id in ${sql(importIds)}`;
  const described: RecentChange[] = [];
  for (const { groups, items, ...entry } of entries) {
    const [group] = groups;
    const [item] = items;
    if (group === undefined || item === undefined) continue;
    const { at, by, byId = null, name, unicode, account } = item;
    const file = files.find(({ id }) => id === group.import_id);
    const isImport = file?.at === at;
    // Undos of imports had no operation once.
    const did = file && !isImport && group.operation === null ? "undo" : entry.did;
    const isUndone = entry.isUndone || (isImport && file.state === "undone");
    const operations = groups.flatMap(({ operation }) => operation ?? []);
    const isRead = byId === null && (operations.length === 0 || parseSource(by).kind === "account");
    const isOver = isRead || operations.length === 0 || (isImport && file.staging === null);
    let some = items;
    if (group.names > 1 && !file) {
      const isOfGroup = sql`at = ${at} and import_id is not distinct from ${group.import_id}
        and operation is not distinct from ${group.operation}`;
      some = await readItems(sql, isOfGroup, sight, MAX_DESCRIBED);
    }
    const wasDeleted = () =>
      hasRows(sql`select 1 from changes
        where domain_id = ${item.domainId} and action = 'deleted' and at < ${at} limit 1`);
    const isBack = did === "do" && item.action === "added" && (await wasDeleted());
    const sentence = isBack ? "{} restored" : sentenceOf(some, did);
    const names = group.names + groups.length - 1;
    described.push({
      at,
      by,
      byId,
      kind: file ? "imported" : isRead ? "told" : kindOf(some),
      what: PREFIXES[did] + (file ? `{} imported from ${file.name}` : sentence),
      names,
      domain: names === 1 ? { name, unicode } : null,
      account,
      changes: groups.map(({ first }) => first),
      operations,
      back: isUndone || isOver ? null : did === "undo" ? "redo" : "undo",
      isUndone,
    });
  }
  return described;
}

/** The first changes that a condition finds, with the names of their domains. */
async function readItems(
  sql: SQL,
  condition: Fragment,
  sight: Sight,
  limit = PAGE_SIZE,
): Promise<Item[]> {
  const rows = await sql<
    (ChangeRow & { domain_id: string; name: string | null; unicode: string })[]
  >`
    select ${sql.unsafe(CHANGE_COLUMNS)}, domain_id,
      (select name from domains where domains.id = domain_id) as name,
      (select unicode from domains where domains.id = domain_id) as unicode
    from changes
    where ${condition} ${changeInSight(sql, sight)}
    order by id limit ${limit}`;
  const deleted = rows.filter(({ name }) => name === null).map((row) => row.domain_id);
  const lastNames = await namesOfDeleted(sql, deleted);
  return rows.map((row) => {
    const change = Object.assign(changeOf(row), { domainId: row.domain_id });
    const refused = refusedName(change);
    const { name = "", unicode = "" } = lastNames.get(row.domain_id) ?? refused ?? {};
    const named = row.name === null ? { name, unicode } : { name: row.name, unicode: row.unicode };
    const item = Object.assign(change, named, { account: refused?.account ?? null });
    return withoutHiddenFields(item, sight);
  });
}

const PREFIXES = { do: "", undo: "Undone: ", redo: "Redone: " } as const;

/** What a filter of the changes calls some of them. */
function kindOf(items: readonly Item[]): ChangeKind {
  if (items[0]?.account) return "refused";
  const action = items[0]?.action ?? "edited";
  const isDecision = items.some(({ fields }) => fields.some(({ field }) => field === "decision"));
  return action === "edited" && isDecision ? "decided" : action;
}

/** What some changes did, or, of an undo, what they set back; `{}` stands for the domains. */
function sentenceOf(items: readonly Item[], did: Did): string {
  const action = items[0]?.action;
  const [added, deleted, side] =
    did === "undo"
      ? (["deleted", "added", "before"] as const)
      : (["added", "deleted", "after"] as const);
  if (items[0]?.account) return "{} refused";
  if (action === "added") return `{} ${added}`;
  if (action === "deleted") return `{} ${deleted}`;
  const changes = items.flatMap(({ fields }) => fields);
  const fields = [...new Set(changes.map(({ field }) => field))];
  const [value, ...others] = changes.map((change) => change[side]);
  const [field = "", ...more] = fields;
  const isOne = more.length === 0 && others.every((other) => Bun.deepEquals(other, value));
  const names = fields.map(fieldInWords).join(", ");
  return (
    (isOne && valueSentence(field, value)) ||
    `${names.charAt(0).toUpperCase()}${names.slice(1)} changed for {}`
  );
}

/** Undefined for a field whose values are long, or say little without the one before. */
function valueSentence(field: string, value: unknown): string | undefined {
  if (!isField(field)) return undefined;
  const { kind, label } = FIELDS[field];
  const decision = DECISIONS.find((each) => field === "decision" && each === value);
  if (decision) return `{} marked ${DECISION_LABELS[decision]}`;
  if (field === "archivedOn") return value === null ? "{} brought back" : "{} archived";
  if (kind === "flag")
    return `${label} ${value === null ? "unknown" : value ? "on" : "off"} for {}`;
  if (kind !== "label" && field !== "decision") return undefined;
  return value === null ? `${label} removed for {}` : `${label} “${String(value)}” for {}`;
}
