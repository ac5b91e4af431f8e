import type { SQL } from "bun";
import {
  countRows,
  type Database,
  type Fragment,
  isPostgres,
  parseStored,
  readColumn,
} from "../../database/database.ts";
import { chunks } from "../../database/bulk-rows.ts";
import { parseDay, utcToday, type Day } from "../../../shared/day.ts";
import type { DomainPage } from "../../../shared/domain.ts";
import { type Filter, FILTER_NAMES, isNarrowed, MAX_VALUE_LENGTH } from "../../../shared/filter.ts";
import * as p from "../../../shared/parse.ts";
import {
  DEFAULT_SORT,
  formatSort,
  parseView,
  sortColumn,
  type SortKey,
  type View,
} from "../../../shared/view.ts";
import { PAGE_SIZE, pageOf, parsePageSize, wholeNumber } from "../../http/paging.ts";
import { parseParameters } from "../../http/read-input.ts";
import { badFields } from "../../http/request-error.ts";
import { EVERYTHING, type QueryParser, type Sight } from "../../http/route.ts";
import type { ParsedSelection } from "../input.ts";
import { listPeopleNames } from "../people.ts";
import { readSettings } from "../settings.ts";
import { filterCondition, isCurrent, lapsedNames } from "./filter-condition.ts";
import {
  type Cursor,
  NEVER_NULL,
  orderBy,
  PRICE_PARTS,
  type SortRow,
  sortFew,
  type SortPart,
  sortParts,
  sortRows,
  type SortValue,
  walkRows,
} from "./list-order.ts";
import { readDomains } from "./read-domains.ts";

export interface DatedView extends View {
  today: Day;
  sight: Sight;
}

export interface ListQuery extends DatedView {
  limit?: number;
  after?: Cursor | null;
  offset?: number;
}

const VIEW_PROPERTIES = {
  ...Object.fromEntries(
    FILTER_NAMES.map((name) => [name, { type: "array", items: { type: "string" } }]),
  ),
  q: {
    type: "array",
    items: { type: "string", maxLength: MAX_VALUE_LENGTH },
    description:
      "Words that must all occur in a domain, in any order, whatever their case and accents: in its name, " +
      "registrar, account, owner, person, tags, notes, custom fields, status or decision. " +
      '`"two words"` stay together, `-word` excludes.',
  },
  sort: { type: "string" },
  today: p.schemaOf(parseDay),
};

/**
 * Reads the parameters of a view, the day `today`, UTC's unless given, and those of a shape, which may depend
 * on the sort.
 *
 * @throws {RequestError} 400 for what is unknown, repeated or bad.
 */
export function viewQueryOf<S extends p.Shape>(
  shapeOf: (sort: View["sort"]) => S,
): QueryParser<Omit<DatedView, "sight"> & p.ObjectOf<S>> {
  const names = ["today", ...Object.keys(shapeOf(DEFAULT_SORT))];
  const read = (parameters: URLSearchParams) => {
    const { view, problems } = parseView(parameters, names);
    if (problems.length > 0) throw badFields(problems);
    const given = new URLSearchParams([...parameters].filter(([name]) => names.includes(name)));
    const { today = utcToday() } = parseParameters(given, parseToday);
    return { ...view, today, ...parseParameters(given, p.object(shapeOf(view.sort))) };
  };
  const schema = () => {
    const { properties } = p.schemaOf(p.object(shapeOf(DEFAULT_SORT)));
    return { type: "object", properties: Object.assign({}, VIEW_PROPERTIES, properties) };
  };
  return Object.assign(read, { schema });
}

const parseToday = p.object({ today: p.optional(parseDay) });

/** The parameters of a page of a view. */
export const pagingOf = (sort: View["sort"]) => ({
  limit: p.optional(parsePageSize),
  after: p.optional(p.mapped(p.text, (text) => decodeCursor(text, sort))),
  offset: p.optional(wholeNumber(0, 999_999_999)),
});

export const parseViewQuery = viewQueryOf(() => ({}));
export const parseListQuery = viewQueryOf(pagingOf);

/** Pages are cut by key, so that a row that comes or goes neither repeats nor hides another. */
export async function listDomains(sql: SQL, query: ListQuery): Promise<DomainPage> {
  const { filter, sort, limit = PAGE_SIZE, after = null, offset = 0, sight } = query;
  const settings = await readSettings(sql);
  const condition = await viewCondition(sql, query);
  const narrowed = sight !== EVERYTHING || isNarrowedByIndex(query);
  const size = await countDomains(sql, EVERYTHING);
  const parts = sortParts(sql, sort, settings);
  const isIndexed = sort[0] !== undefined && sortColumn(sort[0].field) !== null;
  // Of a few matches each is read, and along the order as many more rows as match less often.
  const most = Math.floor(Math.sqrt((offset + limit) * size));
  const wanted = { parts, condition, limit: limit + 1, after, offset };
  // A search has no index to count in.
  const few = filter.q === undefined ? null : await sortFew(sql, wanted, most);
  const total = few?.total ?? (await countMatches(sql, query, condition));
  if (total === 0) return { items: [], next: null, total };
  const given = { ...wanted, narrowed, total };
  const isWalked = isIndexed && !(narrowed && total <= most) && (after === null || offset === 0);
  const rows = few?.rows ?? (await (isWalked ? walkRows(sql, given) : sortRows(sql, given)));
  const { page, next } = pageOf(rows, limit, (last) => encodeCursor(sort, parts, last));
  const ids = page.map(({ id }) => id);
  return { items: await readDomains(sql, ids, sight), next, total };
}

export const readPage = { name: "list domains", run: listDomains };

function isNarrowedByIndex({ filter: { lapsed, ...others } }: Pick<View, "filter">): boolean {
  return isNarrowed(others) || (lapsed !== undefined && lapsed.join() !== "false");
}

/** The number of rows of the table `domains`, which is kept, as an expression. */
const allRows = (sql: SQL) =>
  sql`(select cast(coalesce(sum(names), 0) as integer) from domain_counts)`;

/** The number of all domains that are not archived, as an expression. */
export const allDomains = (sql: SQL) =>
  sql`(${allRows(sql)} - (select cast(count(*) as integer) from domains where archived_on is not null))`;

export async function countDomains(sql: SQL, sight: Sight): Promise<number> {
  if (sight !== EVERYTHING) return countRows(sql, sql`domains where ${isCurrent(sql, sight)}`);
  const [names = 0] = await readColumn<number>(sql`select ${allDomains(sql)}`);
  return names;
}

/** How many match. Those that have not lapsed are the others: what has lapsed is in an index. */
async function countMatches(
  sql: SQL,
  { filter, today, sight }: Pick<DatedView, "filter" | "today" | "sight">,
  conditionOf: (filter: Filter) => Fragment,
): Promise<number> {
  if (!isNarrowed(filter)) return countDomains(sql, sight);
  const { lapsed, ...others } = filter;
  if (lapsed?.join() === "false") {
    const count = (each: Filter) => countMatches(sql, { filter: each, today, sight }, conditionOf);
    return (await count(others)) - (await count({ ...others, lapsed: ["true"] }));
  }
  const isLapsed = sight === EVERYTHING && lapsed?.join() === "true" && !isNarrowed(others);
  const matches = isLapsed
    ? sql`(${lapsedNames(sql, today)}) l`
    : sql`domains where ${conditionOf(filter)}`;
  return countRows(sql, matches);
}

/** Makes one row of all that Postgres keeps of the number of domains. */
export function sweepCounts(database: Database): Promise<unknown> {
  return database.write(async (sql) => {
    const [names = 0] = await readColumn<number>(sql`select ${allRows(sql)}`);
    await sql`delete from domain_counts`;
    await sql`insert into domain_counts ${sql({ names })}`;
  });
}

export async function listIds(sql: SQL, view: DatedView): Promise<string[]> {
  const condition = await viewCondition(sql, view);
  const parts = sortParts(sql, view.sort, await readSettings(sql));
  // SQLite sorts all rows faster than it looks each up from an index; that of the expiry has the ids.
  const isByExpiry = view.sort.length === 1 && view.sort[0]?.field === "expires";
  const isIndexed = isNarrowedByIndex(view) || isByExpiry;
  const how = isIndexed || isPostgres(sql) ? sql`` : sql`not indexed`;
  return readColumn(sql`
    select id from domains ${how} where ${condition()} order by ${orderBy(sql, parts)}`);
}

/** Makes the condition of a view's filter, or of a part of it, as of a day and with the lead time of the settings. */
export async function viewCondition(
  sql: SQL,
  { filter, today, sight }: Pick<DatedView, "filter" | "today" | "sight">,
): Promise<(part?: Filter) => Fragment> {
  const { leadDays } = await readSettings(sql);
  const people = filter.q === undefined ? [] : await listPeopleNames(sql);
  // A function, because `await` would run a fragment.
  return (part = filter) => filterCondition(sql, part, { today, leadDays }, sight, people);
}

/** Ids that one statement looks up; SQLite takes 32,766 parameters. */
const LOOK_UP_SIZE = 2000;

/** Ids in order, as the rows of the tables that belong to domains are. */
export async function selectIds(
  sql: SQL,
  selection: ParsedSelection,
  onlyConflicts = false,
): Promise<string[]> {
  const more = () => (onlyConflicts ? sql`and expires_conflict = 1` : sql``);
  if (selection.kind === "filter") {
    const where = await viewCondition(sql, { ...selection, sight: EVERYTHING });
    const found = await readColumn(sql`select id from domains where ${where()} ${more()}`);
    return found.toSorted();
  }
  const ids: string[] = [];
  for (const batch of chunks(selection.ids, LOOK_UP_SIZE)) {
    const found = sql`select id from domains where id in ${sql(batch)} ${more()}`;
    ids.push(...(await readColumn(found)));
  }
  return ids.toSorted();
}

/** Longer than any cursor: eight keys, three of them labels, in base64. */
const MAX_CURSOR_LENGTH = 8000;

/** A cursor as callers see it: opaque, safe in a URL, good for one sort only. */
function encodeCursor(sort: readonly SortKey[], parts: readonly SortPart[], row: SortRow): string {
  const values = parts.map(({ name }) => row[name] ?? null);
  return Buffer.from(JSON.stringify([formatSort(sort), values])).toString("base64url");
}

export function decodeCursor(given: string, sort: readonly SortKey[]): Cursor {
  const text = given.length <= MAX_CURSOR_LENGTH ? given : "";
  const parsed = parseStored(Buffer.from(text, "base64url").toString(), p.anything);
  const [madeFor, values]: unknown[] = Array.isArray(parsed) && parsed.length === 2 ? parsed : [];
  const names = sort.flatMap(({ field }) => sortColumn(field) ?? PRICE_PARTS);
  if (madeFor === formatSort(sort) && Array.isArray(values) && values.length === names.length) {
    const cells: unknown[] = values;
    const cursor = cells.filter((cell, index) => isValueOf(names[index], cell));
    if (cursor.length === names.length) return cursor;
  }
  return p.refuse("value", p.expected("the `next` of a page with the same sort", given));
}

function isValueOf(name = "", value: unknown): value is SortValue {
  if (value === null) return !NEVER_NULL.has(name);
  if (name === "auto_renew") return value === 0 || value === 1;
  if (name === "price_minor" || name === "price_rated") return typeof value === "number";
  // Postgres takes neither NUL nor half a surrogate pair; no stored value has such.
  return typeof value === "string" && value.isWellFormed() && !/\p{Cc}/u.test(value);
}
