import type { SQL } from "bun";
import { addDays, daysBetween, firstOfMonth, type Day } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import type {
  MonthCost,
  MonthExpiries,
  Summary,
  WorkGroup,
  YearlyCosts,
} from "../../shared/register.ts";
import { WORK_DAYS, type WorkTime } from "../../shared/work.ts";
import { readSettings } from "../settings.ts";
import { listViews } from "../views.ts";
import {
  type Fragment,
  filterCondition,
  lapsedCondition,
  unsoldCondition,
  workCondition,
} from "./filter-condition.ts";
import { viewCondition, type DatedView } from "./list-domains.ts";
import { pricedBy, yearlyPrice } from "./list-price.ts";
import { listRecentChanges } from "./recent-changes.ts";
import { readDomains } from "./read-domains.ts";
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
  const counts = await countAll(sql, today, of);
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
    ...(await countExpiries(sql, today, of)),
    ...(await sumCosts(sql, today, of)),
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

async function countAll(sql: SQL, today: Day, of: Whose): Promise<Counts> {
  const [counts] = await sql<Counts[]>`
    select cast(count(*) as integer) as total,
      cast(count(case when lapsed = 0 and expires_earliest is null then 1 end) as integer) as unknown,
      cast(count(case when lapsed = 0 and expires_conflict = 1 then 1 end) as integer) as conflicts,
      cast(coalesce(sum(lapsed), 0) as integer) as lapsed
    from (select expires_earliest, expires_conflict,
      case when ${lapsedCondition(sql, today)} then 1 else 0 end as lapsed from domains
      where ${of()}) d`;
  return counts ?? { total: 0, unknown: 0, conflicts: 0, lapsed: 0 };
}

/** Every domain of a small register, by expiry. */
async function listAll(sql: SQL, of: Whose): Promise<Domain[]> {
  const rows = await sql<{ id: string }[]>`
    select id from domains where ${of()} order by expires_earliest is null, expires_earliest, name`;
  return readDomains(
    sql,
    rows.map(({ id }) => id),
  );
}

/** The most rows of a group that home shows; the list has the others. */
const ROWS = { today: 20, expired: 5, week: 10, days30: 10, days60: 10, todo: 10 } as const;

/**
 * All work, read once, in groups by the due day, and the next day after this week on which something
 * has to be done: beyond the lead time, what is not to be dropped and may not renew by itself.
 */
async function readWork(
  sql: SQL,
  time: WorkTime,
  of: Whose,
): Promise<Pick<Summary, "work" | "next" | "onlyCritical">> {
  const { today } = time;
  const weekEnd = addDays(today, WORK_DAYS.week[1] - 1);
  const condition = (work: string) => workCondition(sql, work, time);
  const rows = await sql<WorkRow[]>`
    select id, expires_earliest as due, case when decision = 'drop' then 1 else 0 end as drops,
      case when ${condition("todo")} then 1 else 0 end as decided
    from domains where (${condition("any")}) and ${of()}
    order by expires_earliest, name`;
  const groups = Map.groupBy(rows, (row) => groupOf(row, today));
  const read = async (name: keyof Summary["work"]): Promise<WorkGroup> => {
    const all = groups.get(name) ?? [];
    // What expired last can be saved best, where it is wanted.
    const first =
      name === "expired" ? all.toReversed().toSorted((one, other) => one.drops - other.drops) : all;
    const ids = first.slice(0, ROWS[name]).map(({ id }) => id);
    const renewable = all.filter(({ drops }) => drops === 0).length;
    return { total: all.length, renewable, items: await readDomains(sql, ids) };
  };
  const isCritical = filterCondition(sql, { finding: ["critical"], lapsed: ["false"] }, time);
  const [others] = await sql<{ names: number }[]>`
    select cast(count(*) as integer) as names from domains where ${isCritical} and ${of()}
      and id not in (select id from domains
        where ${condition("any")} and expires_earliest <= ${weekEnd})`;
  const date = rows.find(({ due }) => due > weekEnd)?.due;
  const names = rows.filter(({ due }) => due === date).length;
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
    next: date === undefined ? await findNext(sql, time, of) : { date, names },
  };
}

interface WorkRow {
  id: string;
  due: Day;
  drops: number;
  decided: number;
}

/** Where home shows it: what is urgent stands together, decided or not. */
function groupOf({ due, decided }: WorkRow, today: Day): keyof Summary["work"] {
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

/** The months from today's on, each with its renewals, and how many domains are to be dropped. */
async function countExpiries(
  sql: SQL,
  today: Day,
  of: Whose,
): Promise<Pick<Summary, "expiries" | "dropping">> {
  const rows = await sql<(MonthExpiries & { dropping: number })[]>`
    select substr(expires_earliest, 1, 7) as month,
      cast(sum(case when decision = 'drop' then 0 else 1 end) as integer) as names,
      cast(sum(case when decision = 'drop' then 0 else coalesce(auto_renew, 0) end) as integer)
        as renewing,
      cast(sum(case when decision = 'drop' then 1 else 0 end) as integer) as dropping
    from domains where ${dueBefore(sql, today, firstOfMonth(today, MONTHS))} and ${of()}
    group by 1`;
  const expiries = Array.from({ length: MONTHS }, (_, index) => {
    const month = firstOfMonth(today, index).slice(0, 7);
    const { names = 0, renewing = 0 } = rows.find((row) => row.month === month) ?? {};
    return { month, names, renewing };
  });
  return { expiries, dropping: rows.reduce((sum, row) => sum + row.dropping, 0) };
}

/** Renewals by month and currency, of domains that are neither sold nor to be dropped. */
async function sumCosts(
  sql: SQL,
  today: Day,
  of: Whose,
): Promise<Pick<Summary, "costs" | "unpriced">> {
  const price = pricedBy(sql);
  // Doubles add up on both databases where integers would overflow; whole cents are exact to 2^53.
  const rows = await sql<(MonthCost & { priced: number })[]>`
    select substr(expires_earliest, 1, 7) as month, ${price.currency} as currency,
      case when ${price.minor} is null then 0 else 1 end as priced,
      coalesce(sum(cast(${price.minor} as double precision)), 0) as minor,
      coalesce(sum(cast(${price.minor} as double precision) * auto_renew), 0) as renewing,
      cast(count(*) as integer) as names
    from domains ${price.join}
    where ${dueBefore(sql, today, firstOfMonth(today, MONTHS))} and coalesce(decision, '') <> 'drop'
      and ${of()}
    group by 1, 2, 3 order by 1, 2 nulls last`;
  const costs = rows.flatMap(({ priced, ...cost }) => (priced === 1 ? cost : []));
  const unpriced = rows.filter(({ priced }) => priced === 0);
  return { costs, unpriced: unpriced.reduce((sum, { names }) => sum + names, 0) };
}

/** What the domains of a filter cost per year, by currency. */
export async function sumYearlyCost(
  sql: SQL,
  view: Pick<DatedView, "filter" | "today">,
): Promise<YearlyCosts> {
  const where = await viewCondition(sql, view);
  const { minor, currency } = yearlyPrice(sql);
  const rows = await sql<{ currency: string | null; minor: number | null; names: number }[]>`
    select currency, sum(minor) as minor, cast(count(*) as integer) as names
    from (select ${currency} as currency, ${minor} as minor from domains where ${where()}) d
    group by currency, minor is null order by 3 desc`;
  const costs = rows.flatMap((row) =>
    row.minor === null ? [] : [{ ...row, minor: Math.round(row.minor) }],
  );
  const unpriced = rows.find((row) => row.minor === null);
  return { costs, unpriced: unpriced?.names ?? 0 };
}
