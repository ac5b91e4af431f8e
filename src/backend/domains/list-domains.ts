import type { SQL } from "bun";
import type { DomainPage } from "../../shared/contract.ts";
import { encodeCursor, type Cursor, type SortValue } from "./domain-cursor.ts";
import { filterCondition, notInOrderOf, type DomainFilter } from "./domain-filter.ts";
import type { DomainQuery } from "./domain-query.ts";
import { readDomains } from "./domain-row.ts";
import type { SortKey } from "./domain-sort.ts";
import { isWithin, listParts, partCondition, type Part } from "./list-parts.ts";

type Fragment = SQL.Query<unknown>;

/** Names that are found and sorted sooner than met on the way along the index of a sort. */
const FEW = 2500;

type Row = { id: string } & Record<string, SortValue>;

/**
 * One page of the register and the number of all matches. Pages are cut by key, not by offset, so
 * that a row which comes or goes meanwhile neither repeats nor hides another.
 */
export async function listDomains(sql: SQL, query: DomainQuery): Promise<DomainPage> {
  const { tag } = query.filter;
  if (tag !== null && (await countTagged(sql, tag)) <= FEW) {
    // Few match for sure, so that finding them counts them; but for a page behind the last one.
    const { total, ...page } = await pageDomains(sql, query, true);
    return { ...page, total: total ?? (await countDomains(sql, query.filter)) };
  }
  const total = await countDomains(sql, query.filter);
  if (total === 0) return { items: [], next: null, total };
  return { ...(await pageDomains(sql, query, total <= FEW)), total };
}

/** How many names match. */
export async function countDomains(sql: SQL, filter: DomainFilter): Promise<number> {
  const { tag, ...others } = filter;
  const alone = Object.values(others).every((value) => value === null);
  if (tag !== null && alone) return countTagged(sql, tag);
  return countRows(sql, sql`domains where ${filterCondition(sql, filter)}`);
}

/** How many names have a tag: the pairs of both say it, and no name has to be looked up. */
function countTagged(sql: SQL, tag: string): Promise<number> {
  return countRows(sql, sql`domain_tags where tag_key = ${tag}`);
}

async function countRows(sql: SQL, matching: Fragment): Promise<number> {
  const [count] = await sql<{ total: number }[]>`
    select cast(count(*) as integer) as total from ${matching}`;
  return count?.total ?? 0;
}

/** Whether only few names match: their pages are made in another way. */
export async function matchesFew(sql: SQL, filter: DomainFilter): Promise<boolean> {
  return (await countDomains(sql, filter)) <= FEW;
}

/**
 * One page, without counting; `few` is what `matchesFew` said. `total` is there where all matches were
 * found on the way to some of them.
 */
export async function pageDomains(
  sql: SQL,
  query: DomainQuery,
  few: boolean,
): Promise<Omit<DomainPage, "total"> & { total?: number }> {
  const { sort, limit, after } = query;
  const aside = few ? new Set<never>() : notInOrderOf(sort[0]?.column ?? "");
  const where = filterCondition(sql, query.filter, aside);
  // What only a search finds is not found any sooner than along the index, which holds the text.
  const { q: _, ...others } = query.filter;
  const found = few && Object.values(others).some((value) => value !== null);
  const rows: Row[] = [];
  for (const part of found ? ["all" as const] : listParts(query)) {
    const wanted = limit + 1 - rows.length;
    if (wanted <= 0) break;
    rows.push(...(await listPart(sql, where, { sort, after, part, wanted })));
  }
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const ids = page.map(({ id }) => id);
  const next = rows.length > limit && last ? encodeCursor(sort, cursorOf(sort, last)) : null;
  const total = rows[0]?.["total"];
  return {
    items: await readDomains(sql, ids),
    next,
    ...(typeof total === "number" && { total }),
  };
}

async function listPart(
  sql: SQL,
  where: Fragment,
  page: { sort: readonly SortKey[]; after: Cursor | null; part: Part; wanted: number },
): Promise<Row[]> {
  const { sort, after, part, wanted } = page;
  const [first] = sort;
  if (first === undefined) throw new TypeError("A list needs at least one sort key");
  const columns = sort.map(({ column }) => sql`, ${sql(column)}`);
  const within = partCondition(sql, part, first);
  // Within the other parts, the first key is known of all rows or of none.
  const keys = part === "all" ? sort : [{ ...first, nullable: false }, ...sort.slice(1)];
  const continues = after !== null && isWithin(part, after);
  const beyond = continues ? sql`and ${isBeyond(sql, keys, after)}` : sql``;
  const matching = sql`select id ${columns} from domains where ${where}`;
  const source =
    part === "all"
      ? sql`with matching as materialized (${matching})
          select *, (select cast(count(*) as integer) from matching) as total
          from matching where 1 = 1`
      : matching;
  return sql<Row[]>`${source} ${within} ${beyond} order by ${order(sql, keys)} limit ${wanted}`;
}

function order(sql: SQL, sort: readonly SortKey[]): Fragment[] {
  const keys = sort.map(({ column, nullable, descending }, index) => {
    const unknownLast = nullable ? sql`(${sql(column)} is null),` : sql``;
    const comma = index > 0 ? sql`,` : sql``;
    return sql`${comma} ${unknownLast} ${sql(column)} ${descending ? sql`desc` : sql`asc`}`;
  });
  // Names are unique: an id after one would only keep SQLite from the index that covers a search.
  if (sort.some(({ field }) => field === "name")) return keys;
  return [...keys, sort.at(-1)?.descending ? sql`, id desc` : sql`, id asc`];
}

/** Whether a row comes after the cursor's: greater in a key, with all keys before that equal. */
function isBeyond(sql: SQL, sort: readonly SortKey[], after: Cursor): Fragment {
  const beyondId = sort.at(-1)?.descending ? sql`id < ${after.id}` : sql`id > ${after.id}`;
  const beyond = sort.reduceRight<Fragment>((rest, { column, nullable, descending }, index) => {
    const value = after.values[index] ?? null;
    const name = sql(column);
    if (value === null) return sql`(${name} is null and ${rest})`;
    const further = descending ? sql`${name} < ${value}` : sql`${name} > ${value}`;
    const unknown = nullable ? sql`or ${name} is null` : sql``;
    return sql`(${further} ${unknown} or (${name} = ${value} and ${rest}))`;
  }, beyondId);

  // Says the same of the first key once more, in the form that lets an index start there.
  const [first] = sort;
  const start = after.values[0] ?? null;
  if (first === undefined || first.nullable || start === null) return beyond;
  const from = first.descending
    ? sql`${sql(first.column)} <= ${start}`
    : sql`${sql(first.column)} >= ${start}`;
  return sql`${from} and ${beyond}`;
}

function cursorOf(sort: readonly SortKey[], row: Row): Cursor {
  return { values: sort.map(({ column }) => row[column] ?? null), id: row.id };
}
