import type { SQL } from "bun";
import { addDays, firstOfMonth, type Day } from "../../shared/day.ts";
import type { MonthCost, MonthExpiries, Summary, WorkGroup } from "../../shared/register.ts";
import { LAPSED_DAYS, type WorkTime } from "../../shared/work.ts";
import { readSettings } from "../settings.ts";
import { workCondition } from "./filter-condition.ts";
import { pricedBy } from "./list-price.ts";
import { listRecentChanges } from "./recent-changes.ts";
import { readDomains } from "./read-domains.ts";
import { hasSample } from "./sample.ts";

const MONTHS = 12;
const ITEMS = 10;

/** What home shows: the work as of `today`, what is unknown, what the months bring and cost. */
export async function summarise(sql: SQL, today: Day): Promise<Summary> {
  const { leadDays } = await readSettings(sql);
  const time = { today, leadDays };
  return {
    ...time,
    ...(await countAll(sql)),
    work: {
      expired: await readGroup(sql, "expired", time),
      undecided: await readGroup(sql, "undecided", time),
      todo: await readGroup(sql, "todo", time),
    },
    next: await findNext(sql, time),
    expiries: await countExpiries(sql, today),
    ...(await sumCosts(sql, today)),
    changes: await listRecentChanges(sql, ITEMS),
    sample: await hasSample(sql),
  };
}

async function countAll(sql: SQL): Promise<Pick<Summary, "total" | "unknown" | "conflicts">> {
  const [counts] = await sql<Pick<Summary, "total" | "unknown" | "conflicts">[]>`
    select cast(count(*) as integer) as total,
      cast(count(*) - count(expires_on) as integer) as unknown,
      cast(coalesce(sum(expires_conflict), 0) as integer) as conflicts
    from domains`;
  return counts ?? { total: 0, unknown: 0, conflicts: 0 };
}

async function readGroup(
  sql: SQL,
  work: keyof Summary["work"],
  time: WorkTime,
): Promise<WorkGroup> {
  const { today } = time;
  const after = (days: number) => addDays(today, days);
  const bucket =
    work === "expired"
      ? sql`case when expires_earliest < ${after(-LAPSED_DAYS)} then 'lapsed'
          when expires_earliest < ${after(-30)} then 'days60'
          when expires_earliest < ${after(-7)} then 'days30' else 'week' end`
      : sql`case when expires_earliest > ${after(30)} then 'days60'
          when expires_earliest > ${after(7)} then 'days30' else 'week' end`;
  const counts = await sql<{ bucket: "lapsed" | "week" | "days30" | "days60"; names: number }[]>`
    select ${bucket} as bucket, cast(count(*) as integer) as names from domains
    where ${workCondition(sql, work, time)} group by 1`;
  const group = { total: 0, lapsed: 0, week: 0, days30: 0, days60: 0 };
  for (const { bucket: name, names } of counts) {
    group[name] = names;
    group.total += names;
  }
  const first = await sql<{ id: string }[]>`
    select id from domains where ${workCondition(sql, work, time)}
    order by case when expires_earliest < ${after(-LAPSED_DAYS)} then 1 else 0 end, expires_earliest, name
    limit ${ITEMS}`;
  const ids = first.map(({ id }) => id);
  return { ...group, items: await readDomains(sql, ids) };
}

async function findNext(sql: SQL, { today, leadDays }: WorkTime): Promise<Summary["next"]> {
  const [next] = await sql<{ date: Day; names: number }[]>`
    select expires_on as date, cast(count(*) as integer) as names from domains
    where expires_on > ${addDays(today, leadDays)} and coalesce(auto_renew, 0) = 0
      and coalesce(decision, '') <> 'drop'
    group by expires_on order by expires_on limit 1`;
  return next ?? null;
}

/** The months from today's on, each with what expires in it. */
async function countExpiries(sql: SQL, today: Day): Promise<MonthExpiries[]> {
  const rows = await sql<MonthExpiries[]>`
    select substr(expires_on, 1, 7) as month, cast(count(*) as integer) as names,
      cast(coalesce(sum(auto_renew), 0) as integer) as renewing
    from domains
    where expires_on >= ${firstOfMonth(today)} and expires_on < ${firstOfMonth(today, MONTHS)}
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
    select substr(expires_on, 1, 7) as month, ${price.currency} as currency,
      case when ${price.minor} is null then 0 else 1 end as priced,
      coalesce(sum(cast(${price.minor} as double precision)), 0) as minor,
      coalesce(sum(cast(${price.minor} as double precision) * auto_renew), 0) as renewing,
      cast(count(*) as integer) as names
    from domains ${price.join}
    where expires_on >= ${firstOfMonth(today)} and expires_on < ${firstOfMonth(today, MONTHS)}
      and coalesce(decision, '') <> 'drop' and sold_on is null and sold_minor is null
    group by 1, 2, 3 order by 1, 2 nulls last`;
  const costs = rows
    .filter(({ priced }) => priced === 1)
    .map(({ month, currency, minor, renewing, names }) => ({
      month,
      currency,
      minor,
      renewing,
      names,
    }));
  const unpriced = rows.filter(({ priced }) => priced === 0);
  return { costs, unpriced: unpriced.reduce((sum, { names }) => sum + names, 0) };
}
