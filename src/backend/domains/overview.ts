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
import { LAPSED_DAYS, type WorkTime } from "../../shared/work.ts";
import { readSettings } from "../settings.ts";
import { listViews } from "../views.ts";
import { lapsedCondition, workCondition } from "./filter-condition.ts";
import { viewCondition, type DatedView } from "./list-domains.ts";
import { pricedBy, yearlyPrice } from "./list-price.ts";
import { listRecentChanges } from "./recent-changes.ts";
import { readDomains } from "./read-domains.ts";
import { hasSample } from "./sample.ts";

const MONTHS = 12;
const ITEMS = 10;
/** A register of at most so many domains is listed as a whole. */
const MAX_LISTED_DOMAINS = 8;

/** What home shows: the work as of `today`, what is unknown, what the months bring and cost. */
export async function summarise(
  sql: SQL,
  today: Day,
): Promise<Omit<Summary, "checks" | "reminders">> {
  const settings = await readSettings(sql);
  const time = { today, leadDays: settings.leadDays };
  const counts = await countAll(sql, today);
  return {
    ...time,
    settings,
    views: await listViews(sql),
    ...counts,
    domains: counts.total > MAX_LISTED_DOMAINS ? [] : await listAll(sql),
    work: await readWork(sql, time),
    next: await findNext(sql, time),
    expiries: await countExpiries(sql, today),
    ...(await sumCosts(sql, today)),
    changes: await listRecentChanges(sql, ITEMS),
    sample: await hasSample(sql),
  };
}

type Counts = Pick<Summary, "total" | "unknown" | "conflicts" | "lapsed">;

async function countAll(sql: SQL, today: Day): Promise<Counts> {
  const [counts] = await sql<Counts[]>`
    select cast(count(*) as integer) as total,
      cast(count(*) - count(expires_earliest) as integer) as unknown,
      cast(coalesce(sum(expires_conflict), 0) as integer) as conflicts,
      cast(count(case when ${lapsedCondition(sql, today)} then 1 end) as integer) as lapsed
    from domains`;
  return counts ?? { total: 0, unknown: 0, conflicts: 0, lapsed: 0 };
}

/** Every domain of a small register, by expiry. */
async function listAll(sql: SQL): Promise<Domain[]> {
  const rows = await sql<{ id: string }[]>`
    select id from domains order by expires_earliest is null, expires_earliest, name`;
  return readDomains(
    sql,
    rows.map(({ id }) => id),
  );
}

/** All work, read once: three lists would be three times as long on the way. */
async function readWork(sql: SQL, time: WorkTime): Promise<Summary["work"]> {
  const condition = (work: string) => workCondition(sql, work, time);
  const rows = await sql<{ id: string; due: Day; work: keyof Summary["work"] }[]>`
    select id, expires_earliest as due, case when ${condition("expired")} then 'expired'
      when ${condition("undecided")} then 'undecided' else 'todo' end as work
    from domains where ${condition("any")} order by expires_earliest, name`;
  const lapsing = addDays(time.today, -LAPSED_DAYS);
  const groups = Map.groupBy(rows, ({ work }) => work);
  const read = async (work: keyof Summary["work"]): Promise<WorkGroup> => {
    const due = groups.get(work) ?? [];
    // Until the day, or since it; what is to do after its day is due this week.
    const sign = work === "expired" ? -1 : 1;
    const days = due.map((row) => sign * daysBetween(time.today, row.due));
    const lapsed = due.filter((row) => work === "expired" && row.due < lapsing);
    const first = [...due.slice(lapsed.length), ...lapsed].slice(0, ITEMS);
    const within = (most: number) => days.filter((each) => each <= most).length;
    return {
      total: due.length,
      lapsed: lapsed.length,
      week: within(7),
      days30: within(30) - within(7),
      days60: due.length - lapsed.length - within(30),
      items: await readDomains(
        sql,
        first.map(({ id }) => id),
      ),
    };
  };
  return {
    expired: await read("expired"),
    undecided: await read("undecided"),
    todo: await read("todo"),
  };
}

async function findNext(sql: SQL, { today, leadDays }: WorkTime): Promise<Summary["next"]> {
  const [next] = await sql<{ date: Day; names: number }[]>`
    select expires_earliest as date, cast(count(*) as integer) as names from domains
    where expires_earliest > ${addDays(today, leadDays)} and coalesce(auto_renew, 0) = 0
      and coalesce(decision, '') <> 'drop'
    group by expires_earliest order by expires_earliest limit 1`;
  return next ?? null;
}

/** The months from today's on, each with what expires in it. */
async function countExpiries(sql: SQL, today: Day): Promise<MonthExpiries[]> {
  const rows = await sql<MonthExpiries[]>`
    select substr(expires_earliest, 1, 7) as month, cast(count(*) as integer) as names,
      cast(coalesce(sum(auto_renew), 0) as integer) as renewing
    from domains
    where expires_earliest >= ${firstOfMonth(today)} and expires_earliest < ${firstOfMonth(today, MONTHS)}
    group by 1`;
  return Array.from({ length: MONTHS }, (_, index) => {
    const month = firstOfMonth(today, index).slice(0, 7);
    return rows.find((row) => row.month === month) ?? { month, names: 0, renewing: 0 };
  });
}

/** Renewals by month and currency, of domains that are neither sold nor to be dropped. */
async function sumCosts(sql: SQL, today: Day): Promise<Pick<Summary, "costs" | "unpriced">> {
  const price = pricedBy(sql);
  // Doubles add up on both databases where integers would overflow; whole cents are exact to 2^53.
  const rows = await sql<(MonthCost & { priced: number })[]>`
    select substr(expires_earliest, 1, 7) as month, ${price.currency} as currency,
      case when ${price.minor} is null then 0 else 1 end as priced,
      coalesce(sum(cast(${price.minor} as double precision)), 0) as minor,
      coalesce(sum(cast(${price.minor} as double precision) * auto_renew), 0) as renewing,
      cast(count(*) as integer) as names
    from domains ${price.join}
    where expires_earliest >= ${firstOfMonth(today)} and expires_earliest < ${firstOfMonth(today, MONTHS)}
      and coalesce(decision, '') <> 'drop' and sold_on is null and sold_minor is null
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
