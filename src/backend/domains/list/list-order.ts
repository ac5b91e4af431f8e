import type { SQL } from "bun";
import { countRows, type Fragment, isPostgres } from "../../database/database.ts";
import { currencyDigits } from "../../../shared/money.ts";
import type { Settings } from "../../../shared/settings.ts";
import { ratesOf } from "../../../shared/total.ts";
import { sortColumn, type SortKey } from "../../../shared/view.ts";
import { yearlyPrice } from "./list-price.ts";

/** The values of the sort keys in the last row of a page; the name among them breaks every tie. */
export type Cursor = readonly SortValue[];
export type SortValue = string | number | null;
/** The id of a domain, and its value of each part of the order. */
export type SortRow = { id: string } & Record<string, SortValue>;

/** What the order compares: one for each key of the sort, three for the price. */
export interface SortPart {
  name: string;
  value: Fragment;
  descending: boolean;
}

export const NEVER_NULL = new Set(["sort_name", "tld", "created_at", "updated_at"]);

/** The parts of a price: by the owner's rates, and without one by currency. */
export const PRICE_PARTS = ["price_rated", "price_currency", "price_minor"];

export function sortParts(sql: SQL, sort: readonly SortKey[], settings: Settings): SortPart[] {
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

/** The yearly price in the owner's currency; null without a rate. */
function ratedPrice(sql: SQL, { currency: own, ...rates }: Settings): Fragment {
  const known = own === null ? [] : Object.entries(ratesOf(rates));
  if (own === null || known.length === 0) return sql`cast(null as double precision)`;
  const { minor, currency } = yearlyPrice(sql);
  const whens = [...known, [own, 1] as const].map(([code, rate]) => {
    const factor = rate * 10 ** (currencyDigits(own) - currencyDigits(code));
    return sql`when ${code} then (${minor}) * cast(${factor} as double precision) `;
  });
  return sql`(case (${currency}) ${whens} end)`;
}

/** Domains without a value come last in either direction. */
export function orderBy(sql: SQL, parts: readonly SortPart[]): Fragment[] {
  return parts.map(({ name, value, descending }, index) => {
    const comma = index > 0 ? sql`,` : sql``;
    const direction = descending ? sql`desc` : sql`asc`;
    const nulls = NEVER_NULL.has(name) ? sql`` : sql`nulls last`;
    return sql`${comma} ${value} ${direction} ${nulls}`;
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

/** What is read of the list: `limit` rows in its order, after a cursor and past some others. */
export interface PageRequest {
  parts: readonly SortPart[];
  condition: () => Fragment;
  /** Whether an index could find what the filter leaves. */
  narrowed: boolean;
  total: number;
  limit: number;
  after: Cursor | null;
  offset: number;
}

/**
 * For a filter that few match, and an order without an index. Materialized, as Postgres would
 * expect more matches and look for them along the order.
 */
export async function sortRows(sql: SQL, page: PageRequest): Promise<SortRow[]> {
  const { parts, condition, narrowed, limit, after, offset } = page;
  const beyond = after === null ? sql`` : sql`and ${isBeyond(sql, parts, after)}`;
  return sql<SortRow[]>`
    with matches as ${narrowed ? sql`materialized` : sql`not materialized`} (
      select id ${columnsOf(sql, parts)} from domains where ${condition()} ${beyond})
    select * from matches order by ${orderBy(sql, byName(sql, parts))}
    limit ${limit} offset ${offset}`;
}

/** As `sortRows`, with the number of matches, in one pass. Null: more than `most` match, or the page is empty. */
export async function sortFew(
  sql: SQL,
  { parts, condition, limit, after, offset }: Omit<PageRequest, "total" | "narrowed">,
  most: number,
): Promise<{ rows: SortRow[]; total: number } | null> {
  const named = byName(sql, parts);
  const rows = await sql<(SortRow & { matches: number })[]>`
    select * from (
      select *, cast(count(*) over () as integer) as matches from (
        select id ${columnsOf(sql, parts)} from domains where ${condition()} limit ${most + 1}) m) m
    where ${after === null ? sql`1 = 1` : isBeyond(sql, named, after)}
    order by ${orderBy(sql, named)} limit ${limit} offset ${offset}`;
  const total = rows[0]?.matches ?? Infinity;
  return total > most ? null : { rows, total };
}

/** Parts of an order of rows that have their values as columns. */
function byName(sql: SQL, parts: readonly SortPart[]): SortPart[] {
  return parts.map((part) => ({ ...part, value: sql`${sql(part.name)}` }));
}

function columnsOf(sql: SQL, parts: readonly SortPart[]): Fragment[] {
  return parts.map(({ name, value }) => sql`, ${value} as ${sql(name)}`);
}

/**
 * Reads along the index of the first key and the name, and no more than is shown. No index has
 * names that ascend under keys that descend, or nulls last either way, and an "or" enters none. So
 * each statement reads one range: the rest of the cursor's value, the values behind it, what has no
 * value.
 */
export async function walkRows(sql: SQL, page: PageRequest): Promise<SortRow[]> {
  const { parts, condition, narrowed, total, limit, after, offset } = page;
  const [first, ...rest] = parts;
  if (first === undefined) return [];
  const { name: column, value: key, descending } = first;
  // SQLite would find all matches by an index of the filter and sort them.
  const isForced = narrowed && !isPostgres(sql);
  const index = isForced ? sql`indexed by ${sql(`domains_by_${column}`)}` : sql``;
  const inRange = (range: Fragment) => sql`domains ${index} where ${condition()} and ${range}`;
  const rows: SortRow[] = [];
  const read = async (range: Fragment, order: readonly SortPart[], skip = 0) => {
    const left = limit - rows.length;
    if (left <= 0) return;
    const inOrder = sql`order by ${orderBy(sql, order)}`;
    const found = sql`${inRange(range)} ${inOrder} limit ${left} offset ${skip}`;
    // What is skipped is passed by in the index alone, which has the name.
    const some = sql`domains where sort_name in (select sort_name from ${found}) ${inOrder}`;
    const more = await sql<SortRow[]>`
      select id ${columnsOf(sql, parts)} from ${skip > 0 ? some : found}`;
    rows.push(...more);
  };
  const count = (range: Fragment) => countRows(sql, inRange(range));
  const [last, ...lasts] = after ?? [];
  let value = last;
  const beyond = () => {
    if (value === undefined) return sql`${key} is not null`;
    return descending ? sql`${key} < ${value}` : sql`${key} > ${value}`;
  };

  const unknown = sql`${key} is null`;
  // In words of the index, as Postgres does not see that they are all the same.
  const ofUnknown = [{ ...first, descending: false }, ...rest];
  const known = offset === 0 || NEVER_NULL.has(column) ? total : total - (await count(unknown));
  if (last === null || (offset > 0 && offset >= known)) {
    const range = last === null ? sql`${unknown} and ${isBeyond(sql, rest, lasts)}` : unknown;
    await read(range, ofUnknown, Math.max(0, offset - known));
    return rows;
  }

  if (last !== undefined && rest.length > 0) {
    await read(sql`${key} = ${last} and ${isBeyond(sql, rest, lasts)}`, rest);
  }
  if (!descending || rest.length === 0) {
    await read(beyond(), parts, offset);
  } else {
    if (offset > 0) {
      // The index backwards has the values in their order, and in each its names from behind.
      const [at] = await sql<{ value: SortValue; name: string }[]>`
        select ${key} as value, sort_name as name from ${inRange(beyond())}
        order by ${key} desc, sort_name desc limit 1 offset ${offset}`;
      value = at?.value;
      const skip = await count(sql`${key} = ${value} and sort_name > ${at?.name}`);
      await read(sql`${key} = ${value}`, rest, skip);
    }
    // As many values as rows are missing: only of the last one may be more domains than that.
    const [end] = await sql<{ value: SortValue }[]>`
      select ${key} as value from ${inRange(beyond())}
      order by ${key} desc limit 1 offset ${Math.max(0, limit - rows.length - 1)}`;
    if (end === undefined) {
      await read(beyond(), parts);
    } else {
      await read(sql`${beyond()} and ${key} > ${end.value}`, parts);
      await read(sql`${key} = ${end.value}`, rest);
    }
  }
  if (!NEVER_NULL.has(column)) await read(unknown, ofUnknown);
  return rows;
}
