import type { SQL } from "bun";
import { parseFilter } from "../../../shared/filter.ts";
import { formatTerm, parseTerm } from "../../../shared/filter-term.ts";
import type { ImportDefaults } from "../../../shared/import.ts";
import * as p from "../../../shared/parse.ts";
import { parseLimit } from "../../../shared/people.ts";
import { foldLabel } from "../../../shared/text.ts";
import { formatView, parseView } from "../../../shared/view.ts";
import { hasRows, parseStored } from "../../database/database.ts";
import { readSetting, saveSetting } from "../../database/setting-store.ts";
import { EVERYTHING } from "../../http/route.ts";
import { viewCondition } from "../list/list-domains.ts";

/** What names domains by their labels: limits and defaults as JSON, filters as the query of a view. */
const STORED = [
  { table: "users", key: "id", column: "limited_to" },
  { table: "invitations", key: "id", column: "limited_to" },
  { table: "views", key: "id", column: "query" },
  { table: "calendars", key: "id", column: "filter" },
  { table: "channels", key: "id", column: "filter" },
  { table: "import_layouts", key: "key", column: "defaults" },
] as const;

/** All that had the label `from` has `to`. */
export interface Rename {
  field: "registrar" | "account" | "owner" | "tag";
  from: string;
  to: string;
}

/** Which texts an operation changed, so that its undo changes them back. */
const RENAMED = "renamed-labels";
const parseRenamed = p.list(
  p.object({ operation: p.text, id: p.text, before: p.text, after: p.text }),
);

/** The oldest are forgotten first. */
const MAX_RENAMED = 1000;

/**
 * Limits, saved views, calendars, channels and what is remembered of files go along with a label whose
 * last domains have another now. Archived ones may still have it: then filters and limits name both.
 */
export async function carryRename(
  sql: SQL,
  operation: string,
  { field, from, to }: Rename,
): Promise<void> {
  const key = foldLabel(from);
  if (key === foldLabel(to)) return;
  const isUsed = async (...more: [string, string][]) => {
    const term = formatTerm({ not: false, match: "is", text: from });
    const { filter } = parseFilter([[field, term], ...more]);
    const where = await viewCondition(sql, { filter, today: "", sight: EVERYTHING });
    return hasRows(sql`select 1 from domains where ${where()} limit 1`);
  };
  if (await isUsed()) return;
  const kept = (await isUsed(["archived", "any"])) ? [from] : [];
  const next = (text: string) => (foldLabel(text) === key ? [...kept, to] : [text]);
  const inLimit = (text: string) => {
    const limit = parseStored(text, parseLimit);
    if (limit === null || !("owners" in limit) || field !== "owner") return text;
    return JSON.stringify({ owners: [...new Set(limit.owners.flatMap(next))] });
  };
  const inQuery = (text: string) => {
    const { view, problems } = parseView(new URLSearchParams(text));
    const values = view.filter[field];
    if (values === undefined || problems.length > 0) return text;
    const renamed = values.flatMap((value) => {
      const term = parseTerm(value);
      if (term.match !== "is") return [value];
      return next(term.text).map((name) => formatTerm({ ...term, text: name }));
    });
    const filter = { ...view.filter, [field]: [...new Set(renamed)] };
    return String(formatView({ ...view, filter }));
  };
  const inDefaults = (text: string) => {
    // A registrar is the source of the dates as well, and by another name it would contradict itself.
    if (field === "registrar") return text;
    const defaults: ImportDefaults = JSON.parse(text);
    const rename = (label?: string) => (label && foldLabel(label) === key ? to : label);
    const tags = [...new Set(defaults.tags?.map(rename))];
    const renamed =
      field === "tag" ? defaults.tags && { tags } : { [field]: rename(defaults[field]) };
    return JSON.stringify({ ...defaults, ...renamed });
  };
  const changes = { limited_to: inLimit, query: inQuery, filter: inQuery, defaults: inDefaults };
  await changeStored(sql, operation, (text, { column }) => changes[column](text));
}

/** Takes back what an operation renamed, unless it was changed since. */
export async function undoRename(sql: SQL, undone: string, operation: string): Promise<void> {
  const renamed = (await readSetting(sql, RENAMED, parseRenamed)) ?? [];
  const own = new Map(
    renamed.filter((each) => each.operation === undone).map((each) => [each.id, each]),
  );
  if (own.size === 0) return;
  await changeStored(sql, operation, (text, { id }) => {
    const change = own.get(id);
    return change?.after === text ? change.before : text;
  });
}

async function changeStored(
  sql: SQL,
  operation: string,
  changeOf: (text: string, of: { id: string; column: (typeof STORED)[number]["column"] }) => string,
): Promise<void> {
  const changed: p.Parsed<typeof parseRenamed> = [];
  for (const { table, key, column } of STORED) {
    const rows = await sql<{ id: string; before: string }[]>`
      select ${sql(key)} as id, ${sql(column)} as before from ${sql(table)} where ${sql(column)} is not null`;
    for (const { id, before } of rows) {
      const after = changeOf(before, { id, column });
      if (after === before) continue;
      changed.push({ operation, id, before, after });
      await sql`update ${sql(table)} set ${sql({ [column]: after })} where ${sql(key)} = ${id}`;
    }
  }
  if (changed.length === 0) return;
  const renamed = (await readSetting(sql, RENAMED, parseRenamed)) ?? [];
  await saveSetting(sql, RENAMED, [...renamed, ...changed].slice(-MAX_RENAMED));
}
