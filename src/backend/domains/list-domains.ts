import type { SQL } from "bun";
import { parseDay, utcToday, type Day } from "../../shared/day.ts";
import type { DomainPage } from "../../shared/domain.ts";
import { FILTER_NAMES } from "../../shared/filter.ts";
import { currencyDigits } from "../../shared/money.ts";
import type { Settings } from "../../shared/settings.ts";
import { expected, object, optional, refuse, schemaOf } from "../../shared/parse.ts";
import { formatSort, parseView, sortColumn, type SortKey, type View } from "../../shared/view.ts";
import { parsePageSize, parseParameters } from "../http/read-input.ts";
import { badFields } from "../http/request-error.ts";
import type { QueryParser } from "../http/route.ts";
import { readSettings } from "../settings.ts";
import { filterCondition, type Fragment } from "./filter-condition.ts";
import { yearlyPrice } from "./list-price.ts";
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
export interface ListQuery extends DatedView {
  limit: number;
  after: Cursor | null;
  offset: number;
}

const DEFAULT_PAGE_SIZE = 100;

/** Reads the parameters of a view and the day `today`, UTC's unless given. */
export const parseViewQuery: QueryParser<DatedView> = Object.assign(
  (given: URLSearchParams) => readView(given),
  { schema: () => ({ type: "object", properties: VIEW_PROPERTIES }) },
);

/** Reads the parameters of `GET /api/domains`. */
export const parseListQuery: QueryParser<ListQuery> = Object.assign(readListQuery, {
  schema: () => ({
    type: "object",
    properties: {
      ...VIEW_PROPERTIES,
      limit: schemaOf(parsePageSize),
      after: { type: "string" },
      offset: { type: "integer", minimum: 0, maximum: 999_999_999 },
    },
  }),
});

const VIEW_PROPERTIES = {
  ...Object.fromEntries(
    FILTER_NAMES.map((name) => [name, { type: "array", items: { type: "string" } }]),
  ),
  sort: { type: "string" },
  today: schemaOf(parseDay),
};

/** @throws {RequestError} 400 for what is unknown, repeated or bad, and for a cursor of another sort. */
function readListQuery(parameters: URLSearchParams): ListQuery {
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

/** @throws {RequestError} 400 for what is unknown, repeated or bad. */
function readView(parameters: URLSearchParams, besides: readonly string[] = []): DatedView {
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
  const settings = await readSettings(sql);
  const [count] = await sql<{ total: number }[]>`
    select cast(count(*) as integer) as total from domains where ${condition()}`;
  const total = count?.total ?? 0;
  if (total === 0) return { items: [], next: null, total };
  const parts = sortParts(sql, sort, settings);
  const columns = parts.map(({ name, value }) => sql`, ${value} as ${sql(name)}`);
  const beyond = after === null ? sql`` : sql`and ${isBeyond(sql, parts, after)}`;
  const rows = await sql<Row[]>`
    select id ${columns} from domains where ${condition()} ${beyond}
    order by ${orderBy(sql, parts)} limit ${limit + 1} offset ${offset}`;
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const ids = page.map(({ id }) => id);
  return {
    items: await readDomains(sql, ids),
    next: last === undefined ? null : encodeCursor(sort, parts, last),
    total,
  };
}

/** The ids of all matches, in the order of the view. */
export async function listIds(sql: SQL, view: DatedView): Promise<string[]> {
  const condition = await viewCondition(sql, view);
  const parts = sortParts(sql, view.sort, await readSettings(sql));
  const rows = await sql<{ id: string }[]>`
    select id from domains where ${condition()} order by ${orderBy(sql, parts)}`;
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

/** What the order compares: one for each key of the sort, three for the price. */
interface SortPart {
  name: string;
  value: Fragment;
  descending: boolean;
}

/** Parts that every domain has a value of. */
const NEVER_NULL = new Set(["name", "tld", "created_at", "updated_at"]);

/** The parts of a price: by the owner's rates, and without one by currency. */
const PRICE_PARTS = ["price_rated", "price_currency", "price_minor"];

function sortParts(sql: SQL, sort: readonly SortKey[], settings: Settings): SortPart[] {
  return sort.flatMap(({ field, descending }) => {
    const column = sortColumn(field);
    if (column !== null) return { name: column, value: sql`${sql(column)}`, descending };
    const { minor, currency } = yearlyPrice(sql);
    return [
      { name: "price_rated", value: ratedPrice(sql, settings), descending },
      { name: "price_currency", value: sql`(${currency})`, descending: false },
      { name: "price_minor", value: sql`(${minor})`, descending },
    ];
  });
}

/** The yearly price in the owner's currency; null where there is no rate for it. */
function ratedPrice(sql: SQL, { currency: own, rates }: Settings): Fragment {
  const known = own === null ? [] : Object.entries(rates);
  if (own === null || known.length === 0) return sql`cast(null as double precision)`;
  const { minor, currency } = yearlyPrice(sql);
  const whens = [...known, [own, 1] as const].map(([code, rate]) => {
    const factor = rate * 10 ** (currencyDigits(own) - currencyDigits(code));
    return sql`when ${code} then (${minor}) * cast(${factor} as double precision) `;
  });
  return sql`(case (${currency}) ${whens} end)`;
}

/** Domains without a value come last in either direction. */
function orderBy(sql: SQL, parts: readonly SortPart[]): Fragment[] {
  return parts.map(({ value, descending }, index) => {
    const comma = index > 0 ? sql`,` : sql``;
    const direction = descending ? sql`desc nulls last` : sql`asc nulls last`;
    return sql`${comma} ${value} ${direction}`;
  });
}

/** Whether a row comes after the cursor: greater in a key, with all keys before that equal. */
function isBeyond(sql: SQL, parts: readonly SortPart[], after: Cursor): Fragment {
  return parts.reduceRight<Fragment>(
    (rest, { name, value, descending }, index) => {
      const last = after[index] ?? null;
      if (last === null) return sql`(${value} is null and ${rest})`;
      const further = descending ? sql`${value} < ${last}` : sql`${value} > ${last}`;
      const nulls = NEVER_NULL.has(name) ? sql`` : sql`or ${value} is null`;
      return sql`(${further} ${nulls} or (${value} = ${last} and ${rest}))`;
    },
    sql`1 = 0`,
  );
}

/** Longer than any cursor: eight keys, three of them labels, in base64. */
const MAX_CURSOR_LENGTH = 4000;

/** A cursor as callers see it: opaque, safe in a URL, good for one sort only. */
function encodeCursor(sort: readonly SortKey[], parts: readonly SortPart[], row: Row): string {
  const values = parts.map(({ name }) => row[name] ?? null);
  return Buffer.from(JSON.stringify([formatSort(sort), values])).toString("base64url");
}

function decodeCursor(value: unknown, sort: readonly SortKey[]): Cursor {
  const text = typeof value === "string" && value.length <= MAX_CURSOR_LENGTH ? value : "";
  const parsed = parseJson(Buffer.from(text, "base64url").toString());
  const [madeFor, values]: unknown[] = Array.isArray(parsed) && parsed.length === 2 ? parsed : [];
  const names = sort.flatMap(({ field }) => sortColumn(field) ?? PRICE_PARTS);
  if (madeFor === formatSort(sort) && Array.isArray(values) && values.length === names.length) {
    const cells: unknown[] = values;
    const cursor = cells.filter((cell, index) => isValueOf(names[index], cell));
    if (cursor.length === names.length) return cursor;
  }
  return refuse("value", expected("the `next` of a page with the same sort", value));
}

function isValueOf(name = "", value: unknown): value is SortValue {
  if (value === null) return !NEVER_NULL.has(name);
  if (name === "auto_renew") return value === 0 || value === 1;
  if (name === "price_minor" || name === "price_rated") return typeof value === "number";
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
