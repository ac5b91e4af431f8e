import type { SQL } from "bun";
import type { DomainPage } from "../../shared/domain.ts";
import { expected, object, optional, refuse } from "../../shared/parse.ts";
import { foldLabel } from "../../shared/text.ts";
import {
  formatSort,
  parseView,
  sortColumn,
  type Filter,
  type SortField,
  type SortKey,
  type View,
} from "../../shared/view.ts";
import { parsePageSize, parseParameters } from "../http/read-input.ts";
import { badFields } from "../http/request-error.ts";
import { toAscii } from "./domain-name.ts";
import { readDomains } from "./read-domains.ts";

type Fragment = SQL.Query<unknown>;

/** The values of the sort keys in the last row of a page; the name among them breaks every tie. */
type Cursor = readonly SortValue[];
type SortValue = string | number | null;
type Row = { id: string } & Record<string, SortValue>;

/** One page of the list. */
interface ListQuery extends View {
  limit: number;
  after: Cursor | null;
}

const DEFAULT_PAGE_SIZE = 100;

/**
 * Reads the parameters of `GET /api/domains`.
 *
 * @throws {RequestError} 400 for what is unknown, repeated or bad, and for a cursor of another sort.
 */
export function parseListQuery(parameters: URLSearchParams): ListQuery {
  const view = readView(parameters, ["limit", "after"]);
  const parseCursor = (value: unknown) => decodeCursor(value, view.sort);
  const paging = object({ limit: optional(parsePageSize), after: optional(parseCursor) });
  const { limit = DEFAULT_PAGE_SIZE, after = null } = parseParameters(parameters, paging);
  return { ...view, limit, after };
}

/** Reads a view. @throws {RequestError} 400 for what is unknown, repeated or bad. */
export function readView(parameters: URLSearchParams, besides: readonly string[] = []): View {
  const { view, problems } = parseView(parameters, besides);
  if (problems.length > 0) throw badFields(problems);
  return view;
}

/**
 * One page of the register and the number of all matches. Pages are cut by key, not by offset, so
 * that a row that comes or goes meanwhile neither repeats nor hides another.
 */
export async function listDomains(sql: SQL, query: ListQuery): Promise<DomainPage> {
  const { filter, sort, limit, after } = query;
  const [count] = await sql<{ total: number }[]>`
    select cast(count(*) as integer) as total from domains where ${filterCondition(sql, filter)}`;
  const total = count?.total ?? 0;
  if (total === 0) return { items: [], next: null, total };
  const columns = sort.map(({ field }) => sql`, ${sql(sortColumn(field))}`);
  const beyond = after === null ? sql`` : sql`and ${isBeyond(sql, sort, after)}`;
  const rows = await sql<Row[]>`
    select id ${columns} from domains where ${filterCondition(sql, filter)} ${beyond}
    order by ${orderBy(sql, sort)} limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const ids = page.map(({ id }) => id);
  return {
    items: await readDomains(sql, ids),
    next: last === undefined ? null : encodeCursor(sort, last),
    total,
  };
}

/** The ids of all matches, in the order of the view. */
export async function listIds(sql: SQL, { filter, sort }: View): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from domains where ${filterCondition(sql, filter)} order by ${orderBy(sql, sort)}`;
  return rows.map(({ id }) => id);
}

/** A filter as a condition on `domains`, to stand behind `where`. */
export function filterCondition(sql: SQL, filter: Filter): Fragment {
  const all = [sql`1 = 1`];
  const { q, tag, tld, decision, autoRenew, expiry, expiresFrom, expiresBefore } = filter;
  if (q !== undefined) {
    const pattern = `%${foldLabel(q).replace(/[\\%_]/g, "\\$&")}%`;
    // Most names are the same in Unicode, and comparing is cheaper than searching once more.
    all.push(sql`and (name like ${pattern} escape '\\'
      or (unicode <> name and unicode like ${pattern} escape '\\'))`);
  }
  for (const field of ["registrar", "account", "owner"] as const) {
    const label = filter[field];
    if (label !== undefined) all.push(sql`and ${sql(sortColumn(field))} = ${foldLabel(label)}`);
  }
  if (tag !== undefined) {
    all.push(sql`and id in (select domain_id from domain_tags where tag_key = ${foldLabel(tag)})`);
  }
  if (tld !== undefined) all.push(sql`and tld = ${toAscii(tld.replace(/^\./, "")) ?? ""}`);

  if (decision === "none") all.push(sql`and decision is null`);
  else if (decision === "not-drop") all.push(sql`and coalesce(decision, '') <> 'drop'`);
  else if (decision !== undefined) all.push(sql`and decision = ${decision}`);

  if (autoRenew === "unknown") all.push(sql`and auto_renew is null`);
  else if (autoRenew === "not-on") all.push(sql`and coalesce(auto_renew, 0) = 0`);
  else if (autoRenew !== undefined) all.push(sql`and auto_renew = ${Number(autoRenew === "true")}`);

  if (expiry === "known") all.push(sql`and expires_on is not null`);
  else if (expiry === "unknown") all.push(sql`and expires_on is null`);
  else if (expiry === "conflict") all.push(sql`and expires_conflict = 1`);
  if (expiresFrom !== undefined) all.push(sql`and expires_on >= ${expiresFrom}`);
  if (expiresBefore !== undefined) all.push(sql`and expires_on < ${expiresBefore}`);
  return sql`${all}`;
}

/** Domains without a value come last in either direction. */
function orderBy(sql: SQL, sort: readonly SortKey[]): Fragment[] {
  return sort.map(({ field, descending }, index) => {
    const column = sql(sortColumn(field));
    const comma = index > 0 ? sql`,` : sql``;
    const direction = descending ? sql`desc nulls last` : sql`asc nulls last`;
    return sql`${comma} ${column} ${direction}`;
  });
}

/** Whether a row comes after the cursor: greater in a key, with all keys before that equal. */
function isBeyond(sql: SQL, sort: readonly SortKey[], after: Cursor): Fragment {
  return sort.reduceRight<Fragment>(
    (rest, { field, descending }, index) => {
      const value = after[index] ?? null;
      const column = sql(sortColumn(field));
      if (value === null) return sql`(${column} is null and ${rest})`;
      const further = descending ? sql`${column} < ${value}` : sql`${column} > ${value}`;
      const nulls = isNullable(field) ? sql`or ${column} is null` : sql``;
      return sql`(${further} ${nulls} or (${column} = ${value} and ${rest}))`;
    },
    sql`1 = 0`,
  );
}

function isNullable(field: SortField): boolean {
  return field !== "name" && field !== "tld";
}

/** Longer than any cursor: eight keys, three of them labels, in base64. */
const MAX_CURSOR_LENGTH = 4000;

/** A cursor as callers see it: opaque, safe in a URL, good for one sort only. */
function encodeCursor(sort: readonly SortKey[], row: Row): string {
  const values = sort.map(({ field }) => row[sortColumn(field)] ?? null);
  return Buffer.from(JSON.stringify([formatSort(sort), values])).toString("base64url");
}

function decodeCursor(value: unknown, sort: readonly SortKey[]): Cursor {
  const text = typeof value === "string" && value.length <= MAX_CURSOR_LENGTH ? value : "";
  const parsed = parseJson(Buffer.from(text, "base64url").toString());
  const [madeFor, values]: unknown[] = Array.isArray(parsed) && parsed.length === 2 ? parsed : [];
  if (madeFor === formatSort(sort) && Array.isArray(values) && values.length === sort.length) {
    const cells: unknown[] = values;
    const cursor = cells.filter((cell, index) => isValueOf(sort[index], cell));
    if (cursor.length === sort.length) return cursor;
  }
  return refuse("value", expected("the `next` of a page with the same sort", value));
}

function isValueOf(key: SortKey | undefined, value: unknown): value is SortValue {
  if (key === undefined) return false;
  if (value === null) return isNullable(key.field);
  if (key.field === "autoRenew") return value === 0 || value === 1;
  // Postgres takes neither NUL nor half a surrogate pair; no stored value has such.
  return typeof value === "string" && value.isWellFormed() && !/\p{Cc}/u.test(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
