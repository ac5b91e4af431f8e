import type { SQL } from "bun";
import type { Fragment } from "../database/database.ts";
import { addDays, daysBetween, firstOfMonth, type Day } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import type { MonthCost, Summary, WorkGroup, YearlyCosts } from "../../shared/register.ts";
import { WORK_DAYS, type WorkTime } from "../../shared/work.ts";
import { readSettings } from "./settings.ts";
import { listViews } from "./list/views.ts";
import {
  filterCondition,
  lapsedCondition,
  unsoldCondition,
  workCondition,
} from "./list/filter-condition.ts";
import { allDomains, viewCondition, type DatedView } from "./list/list-domains.ts";
import { pricedBy } from "./list/list-price.ts";
import { listRecentChanges } from "./recent-changes.ts";
import { readDomains } from "./list/read-domains.ts";
import { hasSample } from "./sample.ts";

const MONTHS = 12;
const MAX_CHANGES = 10;
/** A register of at most so many domains is listed as a whole. */
const MAX_LISTED_DOMAINS = 8;

/** Makes the condition on `domains` of whose they are: a person's by id, `none`, or null for all. */
type Whose = () => Fragment;

export function whose(sql: SQL, person: string | null): Whose {
  // Of a filter with nothing else, the time decides nothing.
  const time = { today: "", leadDays: 0 };
  return () => filterCondition(sql, person === null ? {} : { person: [person] }, time);
}

/**
 * What home shows: the work as of `today`, what is unknown, what the months bring and cost. Of the
 * domains of `person` alone; `auto` is `me` for those who have any, else all.
 */
export async function summarise(
  sql: SQL,
  { today, person: asked, me }: { today: Day; person: string; me: string },
): Promise<Omit<Summary, "checks" | "reminders" | "accounts">> {
  const settings = await readSettings(sql);
  const time = { today, leadDays: settings.leadDays };
  const [own] = await sql<{ names: number }[]>`
    select cast(count(*) as integer) as names from domains where person_id = ${me}`;
  const mine = own?.names ?? 0;
  const isAll = asked === "all" || (asked === "auto" && mine === 0);
  const person = isAll ? null : /^(?:me|auto)$/.test(asked) ? me : asked;
  const of = whose(sql, person);
  const counts = await countAll(sql, today, of, person === null);
  return {
    ...time,
    person,
    mine,
    nobody: person === null || person === "none" ? 0 : await countNobodys(sql, time),
    settings,
    views: await listViews(sql),
    ...counts,
    domains: counts.total > MAX_LISTED_DOMAINS ? [] : await listAll(sql, of),
    ...(await readWork(sql, time, of)),
    ...(await readMonths(sql, today, of)),
    changes: await listRecentChanges(sql, MAX_CHANGES),
    sample: await hasSample(sql),
  };
}

/** What has work and is on no person's list. */
async function countNobodys(sql: SQL, time: WorkTime): Promise<number> {
  const [row] = await sql<{ names: number }[]>`
    select cast(count(*) as integer) as names from domains
    where ${filterCondition(sql, { work: ["any"], person: ["none"] }, time)}`;
  return row?.names ?? 0;
}

type Counts = Pick<Summary, "total" | "unknown" | "conflicts" | "lapsed">;

/** Each figure by itself: it is read from an index of what it counts. */
async function countAll(sql: SQL, today: Day, of: Whose, isAll: boolean): Promise<Counts> {
  const lapsed = () => lapsedCondition(sql, today);
  const count = (condition: Fragment) => sql`
    (select cast(count(*) as integer) from domains where ${condition} and ${of()})`;
  const [counts] = await sql<Counts[]>`
    select ${isAll ? allDomains(sql) : count(sql`1 = 1`)} as total, ${count(lapsed())} as lapsed,
      ${count(sql`expires_earliest is null and (${lapsed()}) is not true`)} as unknown,
      ${count(sql`expires_conflict = 1 and (${lapsed()}) is not true`)} as conflicts`;
  return counts ?? { total: 0, unknown: 0, conflicts: 0, lapsed: 0 };
}

/** Every domain of a small register, by expiry. */
async function listAll(sql: SQL, of: Whose): Promise<Domain[]> {
  const rows = await sql<{ id: string }[]>`
    select id from domains where ${of()} order by expires_earliest is null, expires_earliest, name`;
  const ids = rows.map(({ id }) => id);
  return readDomains(sql, ids);
}

/** The groups of home: what work is in each, and the most rows that it shows; the list has the others. */
const GROUPS = {
  today: ["any", 20],
  expired: ["any", 5],
  week: ["any", 10],
  days30: ["undecided", 10],
  days60: ["undecided", 10],
  todo: ["todo", 10],
} as const satisfies Record<keyof Summary["work"], readonly [work: string, rows: number]>;

/**
 * All work in groups by the due day, counted by day, with the first of each; and the next day after
 * this week on which something has to be done: beyond the lead time, what is not to be dropped and may
 * not renew by itself.
 */
async function readWork(
  sql: SQL,
  time: WorkTime,
  of: Whose,
): Promise<Pick<Summary, "work" | "next" | "onlyCritical">> {
  const { today } = time;
  const weekEnd = addDays(today, WORK_DAYS.week[1] - 1);
  const condition = (work: string) => sql`(${workCondition(sql, work, time)}) and ${of()}`;
  const rows = await sql<WorkDay[]>`
    select due, drops, decided, cast(count(*) as integer) as names
    from (select expires_earliest as due, case when decision = 'drop' then 1 else 0 end as drops,
      case when ${workCondition(sql, "todo", time)} then 1 else 0 end as decided
      from domains where ${condition("any")}) d
    group by due, drops, decided order by due`;
  const groups = Map.groupBy(rows, (row) => groupOf(row, today));
  const read = async (name: keyof Summary["work"]): Promise<WorkGroup> => {
    const days = groups.get(name) ?? [];
    const [first, last] = [days[0]?.due ?? "", days.at(-1)?.due ?? ""];
    const [work, limit] = GROUPS[name];
    // What expired last can be saved best, where it is wanted.
    const order =
      name === "expired"
        ? sql`case when decision = 'drop' then 1 else 0 end, expires_earliest desc, name desc`
        : sql`expires_earliest, name`;
    const found = await sql<{ id: string }[]>`
      select id from domains where ${condition(work)} and expires_earliest between ${first} and ${last}
      order by ${order} limit ${limit}`;
    const ids = found.map(({ id }) => id);
    const items = await readDomains(sql, ids);
    const wanted = days.filter(({ drops }) => drops === 0);
    return { total: sumOf("names", days), renewable: sumOf("names", wanted), items };
  };
  const isCritical = filterCondition(sql, { finding: ["critical"], lapsed: ["false"] }, time);
  const [others] = await sql<{ names: number }[]>`
    select cast(count(*) as integer) as names from domains where ${isCritical} and ${of()}
      and id not in (select id from domains
        where ${condition("any")} and expires_earliest <= ${weekEnd})`;
  const date = rows.find(({ due }) => due > weekEnd)?.due;
  const onDate = rows.filter(({ due }) => due === date);
  return {
    work: {
      today: await read("today"),
      expired: await read("expired"),
      week: await read("week"),
      days30: await read("days30"),
      days60: await read("days60"),
      todo: await read("todo"),
    },
    onlyCritical: others?.names ?? 0,
    next:
      date === undefined ? await findNext(sql, time, of) : { date, names: sumOf("names", onDate) },
  };
}

/** How many names with work are due on a day, by what is to be done. */
interface WorkDay {
  due: Day;
  drops: number;
  decided: number;
  names: number;
}

/** Where home shows it: what is urgent stands together, decided or not. */
function groupOf({ due, decided }: WorkDay, today: Day): keyof Summary["work"] {
  const days = daysBetween(today, due);
  if (days < WORK_DAYS.today[0]) return "expired";
  if (days < WORK_DAYS.today[1]) return "today";
  if (days < WORK_DAYS.week[1]) return "week";
  if (decided === 1) return "todo";
  return days < WORK_DAYS.days30[1] ? "days30" : "days60";
}

async function findNext(
  sql: SQL,
  { today, leadDays }: WorkTime,
  of: Whose,
): Promise<Summary["next"]> {
  const [next] = await sql<{ date: Day; names: number }[]>`
    select expires_earliest as date, cast(count(*) as integer) as names from domains
    where expires_earliest > ${addDays(today, leadDays)} and coalesce(auto_renew, 0) = 0
      and coalesce(decision, '') <> 'drop' and ${unsoldCondition(sql)} and ${of()}
    group by expires_earliest order by expires_earliest limit 1`;
  return next ?? null;
}

/** What is due from today on and before `end`, and still somebody's. */
export const dueBefore = (sql: SQL, today: Day, end: Day) => sql`
  expires_earliest >= ${today} and expires_earliest < ${end} and ${unsoldCondition(sql)}`;

/** What expires in a month, with the renewals that have a price in one currency. */
interface MonthSums extends MonthCost {
  dropping: number;
  renewals: number;
  automatic: number;
}

/**
 * The months from today's on, each with its renewals and what they cost by currency; how many domains
 * are to be dropped, and how many renewals have no price.
 */
async function readMonths(
  sql: SQL,
  today: Day,
  of: Whose,
): Promise<Pick<Summary, "expiries" | "dropping" | "costs" | "unpriced">> {
  const price = pricedBy(sql);
  const kept = sql`case when coalesce(decision, '') <> 'drop' then`;
  const count = (value: Fragment) => sql`cast(count(${value} end) as integer)`;
  // Doubles add up on both databases where integers would overflow; whole cents are exact to 2^53.
  const sum = (value: Fragment) =>
    sql`coalesce(sum(${kept} cast(${price.minor} as double precision) * ${value} end), 0)`;
  const rows = await sql<MonthSums[]>`
    select substr(expires_earliest, 1, 7) as month, ${price.currency} as currency,
      ${sum(sql`1`)} as minor, ${sum(sql`auto_renew`)} as renewing,
      ${count(sql`${kept} ${price.minor}`)} as names, ${count(sql`${kept} 1`)} as renewals,
      ${count(sql`${kept} nullif(auto_renew, 0)`)} as automatic,
      ${count(sql`case when decision = 'drop' then 1`)} as dropping
    from domains ${price.join}
    where ${dueBefore(sql, today, firstOfMonth(today, MONTHS))} and ${of()}
    group by 1, 2 order by 1, 2 nulls last`;
  const expiries = Array.from({ length: MONTHS }, (_, index) => {
    const month = firstOfMonth(today, index).slice(0, 7);
    const ofMonth = rows.filter((row) => row.month === month);
    return { month, names: sumOf("renewals", ofMonth), renewing: sumOf("automatic", ofMonth) };
  });
  const costs = rows.flatMap(({ month, currency, minor, renewing, names }) =>
    names === 0 ? [] : [{ month, currency, minor, renewing, names }],
  );
  const unpriced = sumOf("renewals", rows) - sumOf("names", rows);
  return { expiries, dropping: sumOf("dropping", rows), costs, unpriced };
}

function sumOf<K extends string>(figure: K, rows: readonly Record<K, number>[]): number {
  return rows.reduce((sum, row) => sum + row[figure], 0);
}

/** What the domains of a filter cost per year, by currency. */
export async function sumYearlyCost(
  sql: SQL,
  view: Pick<DatedView, "filter" | "today">,
): Promise<YearlyCosts> {
  const where = await viewCondition(sql, view);
  const { join, minor, currency, years } = pricedBy(sql);
  const rows = await sql<{ currency: string | null; minor: number | null; names: number }[]>`
    select ${currency} as currency, cast(count(*) as integer) as names,
      sum(cast(${minor} as double precision) / coalesce(${years}, 1)) as minor
    from (select * from domains where ${where()}) domains ${join}
    group by ${currency}, ${minor} is null order by 2 desc, 1 nulls last`;
  const costs = rows.flatMap((row) =>
    row.minor === null ? [] : [{ ...row, minor: Math.round(row.minor) }],
  );
  const unpriced = rows.find((row) => row.minor === null);
  return { costs, unpriced: unpriced?.names ?? 0 };
}
