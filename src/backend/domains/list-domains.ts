import type { SQL } from "bun";
import { parseDay, utcToday, type Day } from "../../shared/day.ts";
import type { DomainPage } from "../../shared/domain.ts";
import { expected, object, optional, refuse } from "../../shared/parse.ts";
import {
  formatSort,
  parseView,
  sortColumn,
  type SortField,
  type SortKey,
  type View,
} from "../../shared/view.ts";
import { parsePageSize, parseParameters } from "../http/read-input.ts";
import { badFields } from "../http/request-error.ts";
import { readSettings } from "../settings.ts";
import { filterCondition, type Fragment } from "./filter-condition.ts";
import { readDomains } from "./read-domains.ts";

/** The values of the sort keys in the last row of a page; the name among them breaks every tie. */
type Cursor = readonly SortValue[];
type SortValue = string | number | null;
type Row = { id: string } & Record<string, SortValue>;

/** A view as of a day, by which relative dates are read. */
export interface DatedView extends View {
  today: Day;
}

/** One page of the list: behind a cursor, or after so many rows. */
interface ListQuery extends DatedView {
  limit: number;
  after: Cursor | null;
  offset: number;
}

const DEFAULT_PAGE_SIZE = 100;

/**
 * Reads the parameters of `GET /api/domains`.
 *
 * @throws {RequestError} 400 for what is unknown, repeated or bad, and for a cursor of another sort.
 */
export function parseListQuery(parameters: URLSearchParams): ListQuery {
  const view = readView(parameters, PAGING);
  const paging = object({
    limit: optional(parsePageSize),
    after: optional((value) => decodeCursor(value, view.sort)),
    offset: optional(parseOffset),
  });
  const page = parseParameters(pick(parameters, PAGING), paging);
  const { limit = DEFAULT_PAGE_SIZE, after = null, offset = 0 } = page;
  return { ...view, limit, after, offset };
}

const PAGING = ["limit", "after", "offset"];

/**
 * Reads a view and the day `today` (UTC's unless given).
 *
 * @throws {RequestError} 400 for what is unknown, repeated or bad.
 */
export function readView(parameters: URLSearchParams, besides: readonly string[] = []): DatedView {
  const { view, problems } = parseView(parameters, ["today", ...besides]);
  if (problems.length > 0) throw badFields(problems);
  const dated = parseParameters(pick(parameters, ["today"]), object({ today: optional(parseDay) }));
  return { ...view, today: dated.today ?? utcToday() };
}

function pick(parameters: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name]) => names.includes(name)));
}

function parseOffset(value: unknown): number {
  if (typeof value === "string" && /^\d{1,9}$/.test(value)) return Number(value);
  return refuse("value", expected("a whole number from 0", value));
}

/**
 * One page of the register and the number of all matches. Pages are cut by key, not by offset, so
 * that a row that comes or goes meanwhile neither repeats nor hides another.
 */
export async function listDomains(sql: SQL, query: ListQuery): Promise<DomainPage> {
  const { sort, limit, after, offset } = query;
  const condition = await viewCondition(sql, query);
  const [count] = await sql<{ total: number }[]>`
    select cast(count(*) as integer) as total from domains where ${condition()}`;
  const total = count?.total ?? 0;
  if (total === 0) return { items: [], next: null, total };
  const columns = sort.map(({ field }) => sql`, ${sql(sortColumn(field))}`);
  const beyond = after === null ? sql`` : sql`and ${isBeyond(sql, sort, after)}`;
  const rows = await sql<Row[]>`
    select id ${columns} from domains where ${condition()} ${beyond}
    order by ${orderBy(sql, sort)} limit ${limit + 1} offset ${offset}`;
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
export async function listIds(sql: SQL, view: DatedView): Promise<string[]> {
  const condition = await viewCondition(sql, view);
  const rows = await sql<{ id: string }[]>`
    select id from domains where ${condition()} order by ${orderBy(sql, view.sort)}`;
  return rows.map(({ id }) => id);
}

/** Makes the condition of a filter, as of a day and with the lead time of the settings. */
export async function viewCondition(
  sql: SQL,
  { filter, today }: Pick<DatedView, "filter" | "today">,
): Promise<() => Fragment> {
  const { leadDays } = await readSettings(sql);
  // A function, because `await` would run a fragment.
  return () => filterCondition(sql, filter, { today, leadDays });
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
