import type { SQL } from "bun";
import { countRows, type Fragment, type Job, readColumn } from "../database/database.ts";
import { GROUP_ACTIONS } from "../../shared/advice.ts";
import { addDays, firstOfMonth, type Day } from "../../shared/day.ts";
import type { YearlyCosts } from "../../shared/facets.ts";
import type { MonthCost, Summary, WorkGroup } from "../../shared/register.ts";
import { type Work, WORK, WORK_DAYS, type WorkTime } from "../../shared/work.ts";
import { EVERYTHING, type Sight } from "../http/route.ts";
import { readSettings } from "./settings.ts";
import {
  filterCondition,
  inSight,
  isCurrent,
  lapsedCondition,
  unsoldCondition,
  workCondition,
} from "./list/filter-condition.ts";
import { allDomains, viewCondition, type DatedView } from "./list/list-domains.ts";
import { pricedBy } from "./list/list-price.ts";
import { listLastChanges } from "./recent-changes.ts";
import { readDomains } from "./list/read-domains.ts";
import { hasSample } from "./sample.ts";

const MONTHS = 12;
const MAX_CHANGES = 5;
/** How many domains that renew by themselves home shows. */
const MAX_RENEWING = 5;

/** Of `domains`, among other tables: it is of a person by id, or of nobody (`none`); null: of anyone. */
export function isOfPerson(sql: SQL, person: string | null, sight: Sight): Fragment {
  // Of a filter with nothing else, the time decides nothing.
  const time = { today: "", leadDays: 0 };
  const filter = person === null ? {} : { person: [person] };
  return sql`
    ${filterCondition(sql, filter, time, EVERYTHING)} ${inSight(sql, sight, "domains.id")}`;
}

/** As of when home is asked for, of which domains, and what of them is in sight. */
interface Asked extends WorkTime {
  isAsked: Fragment;
  sight: Sight;
}

/** What home shows of the domains of `person` as of `today`; `auto` is `me` for those who have any, else all. */
export const readSummary: Job<
  { today: Day; person: string; me: string; sight: Sight },
  Omit<Summary, "checks" | "reminders" | "accounts">
> = {
  name: "summarise",
  async run(sql, { today, sight, me, ...given }) {
    const settings = await readSettings(sql);
    const time = { today, leadDays: settings.leadDays };
    const mine = await countRows(sql, sql`domains where ${isOfPerson(sql, me, sight)}`);
    const isAll = given.person === "all" || (given.person === "auto" && mine === 0);
    const person = isAll ? null : /^(?:me|auto)$/.test(given.person) ? me : given.person;
    const asked = { ...time, isAsked: isOfPerson(sql, person, sight), sight };
    // What has work and is on no person's list.
    const unassigned = { work: ["any"], person: ["none"] };
    const left = sql`domains where ${filterCondition(sql, unassigned, time, sight)}`;
    return {
      ...time,
      person,
      mine,
      nobody: person === null || person === "none" ? 0 : await countRows(sql, left),
      settings,
      ...(await countAll(sql, asked, isAll)),
      ...(await readWork(sql, asked)),
      ...(await readMonths(sql, asked)),
      changes: await listLastChanges(sql, MAX_CHANGES, sight),
      sample: sight === EVERYTHING && (await hasSample(sql)),
    };
  },
};

type Counts = Pick<Summary, "total" | "unknown" | "conflicts" | "lapsed" | "archivable">;

/** Each figure by itself: it is read from an index of what it counts. */
async function countAll(sql: SQL, asked: Asked, isAll: boolean): Promise<Counts> {
  const { isAsked, sight } = asked;
  const isKept = isAll && sight === EVERYTHING;
  const lapsed = lapsedCondition(sql, asked.today);
  const count = (condition: Fragment) => sql`
    (select cast(count(*) as integer) from domains where ${condition} and ${isAsked})`;
  const [counts] = await sql<Counts[]>`
    select ${isKept ? allDomains(sql) : count(sql`1 = 1`)} as total, ${count(lapsed)} as lapsed,
      ${count(sql`expires_earliest is null and (${lapsed}) is not true`)} as unknown,
      ${count(sql`expires_conflict = 1 and (${lapsed}) is not true`)} as conflicts,
      ${count(filterCondition(sql, { archived: ["proposed"] }, asked, sight))} as archivable`;
  return counts ?? { total: 0, unknown: 0, conflicts: 0, lapsed: 0, archivable: 0 };
}

/** The groups of home, each with the most rows that it shows; the list has the others. */
const GROUPS = { today: 20, expired: 5, week: 20, days30: 5, days60: 5, look: 5 } as const;

/**
 * All work in groups by the due day, counted by day and kind, with the first of each; and the next day
 * after this week on which something has to be done: beyond the lead time, what is not to be dropped and
 * may not renew by itself.
 */
async function readWork(
  sql: SQL,
  asked: Asked,
): Promise<Pick<Summary, "work" | "next" | "renewing">> {
  const { today, leadDays, isAsked, sight } = asked;
  const condition = (work: Work | "any") =>
    sql`(${workCondition(sql, work, asked)}) and ${isAsked}`;
  const kinds = WORK.map((kind) => sql`when ${workCondition(sql, kind, asked)} then ${kind} `);
  const rows = await sql<WorkDay[]>`
    select due, kind, cast(count(*) as integer) as names
    from (select expires_earliest as due, case ${kinds} end as kind from domains
      where expires_earliest <= ${addDays(today, leadDays)} and ${isAsked}) d
    where kind is not null group by due, kind order by due`;
  const read = async (name: keyof typeof GROUPS): Promise<WorkGroup> => {
    // Nothing to look at is due within the lead time.
    const [from, before] = name === "look" ? [0, 0] : WORK_DAYS[name];
    const start = from === null ? "" : addDays(today, from);
    const end = addDays(today, before ?? leadDays + 1);
    const days = rows.filter(({ due }) => due >= start && due < end);
    const [first = "", last = ""] = [days[0]?.due, days.at(-1)?.due];
    const isIn =
      name === "look"
        ? condition("look")
        : sql`${condition("any")} and expires_earliest between ${first} and ${last}`;
    // What expired last can be saved best.
    const order =
      name === "expired"
        ? sql`expires_earliest desc, sort_name`
        : sql`expires_earliest is null, expires_earliest, sort_name`;
    const ids = await readColumn(sql`
      select id from domains where ${isIn} order by ${order} limit ${GROUPS[name]}`);
    const items = await readDomains(sql, ids, sight);
    const total =
      name === "look" ? await countRows(sql, sql`domains where ${isIn}`) : sumOf("names", days);
    const furthest = name === "expired" ? first : last;
    return { total, last: furthest || null, likely: likelyOf(days), items };
  };
  const next = await findNext(sql, asked, rows);
  return {
    work: {
      today: await read("today"),
      expired: await read("expired"),
      week: await read("week"),
      days30: await read("days30"),
      days60: await read("days60"),
      look: await read("look"),
    },
    next,
    renewing: await readRenewing(sql, asked, next?.date ?? addDays(today, leadDays + 1)),
  };
}

interface WorkDay {
  due: Day;
  kind: Work;
  names: number;
}

/** What would end the most of some work at once. */
function likelyOf(days: readonly WorkDay[]): WorkGroup["likely"] {
  const actions = (["renewed", "keep", "switch-off", "transfer"] as const).map((action) => {
    const kinds: readonly Work[] = GROUP_ACTIONS[action];
    const ended = days.filter(({ kind }) => kinds.includes(kind));
    return { action, names: sumOf("names", ended) };
  });
  const [most] = actions.toSorted((one, other) => other.names - one.names);
  return most?.names ? most : null;
}

async function findNext(
  sql: SQL,
  asked: Asked,
  rows: readonly WorkDay[],
): Promise<Summary["next"]> {
  const { today, leadDays, isAsked } = asked;
  const weekEnd = addDays(today, WORK_DAYS.week[1] - 1);
  const work = rows.find(({ due }) => due > weekEnd);
  const isIn = work
    ? sql`expires_earliest = ${work.due} and (${workCondition(sql, "any", asked)}) and ${isAsked}`
    : sql`expires_earliest > ${addDays(today, leadDays)} and coalesce(auto_renew, 0) = 0
        and coalesce(decision, '') <> 'drop' and ${unsoldCondition(sql)} and ${isAsked}`;
  const [next] = await sql<{ date: Day; unicode: string }[]>`
    select expires_earliest as date, unicode from domains where ${isIn}
    order by expires_earliest, sort_name limit 1`;
  if (next === undefined) return null;
  return {
    ...next,
    names: await countRows(sql, sql`domains where ${isIn} and expires_earliest = ${next.date}`),
  };
}

/** What renews by itself from today on and before a day. */
async function readRenewing(
  sql: SQL,
  { today, isAsked, sight }: Asked,
  end: Day,
): Promise<Summary["renewing"]> {
  const isIn = sql`${dueBefore(sql, today, end)} and auto_renew = 1
    and coalesce(decision, '') <> 'drop' and ${isAsked}`;
  const ids = await readColumn(sql`
    select id from domains where ${isIn} order by expires_earliest, sort_name limit ${MAX_RENEWING}`);
  return {
    names: await countRows(sql, sql`domains where ${isIn}`),
    items: await readDomains(sql, ids, sight),
  };
}

/** What is due from today on and before `end`, and not sold. */
export const dueBefore = (sql: SQL, today: Day, end: Day) => sql`
  expires_earliest >= ${today} and expires_earliest < ${end} and ${unsoldCondition(sql)}
  and ${isCurrent(sql, EVERYTHING)}`;

/** The months from today's on: renewals, their costs by currency, drops; and how many renewals have no price. */
async function readMonths(
  sql: SQL,
  { today, isAsked }: Asked,
): Promise<Pick<Summary, "expiries" | "costs" | "unpriced">> {
  const price = pricedBy(sql);
  const kept = sql`case when coalesce(decision, '') <> 'drop' then`;
  const count = (value: Fragment) => sql`cast(count(${value} end) as integer)`;
  // Doubles add up on both databases where integers would overflow; whole cents are exact to 2^53.
  const sum = (value: Fragment) =>
    sql`coalesce(sum(${kept} cast(${price.minor} as double precision) * ${value} end), 0)`;
  const rows = await sql<(MonthCost & Record<"dropping" | "renewals" | "automatic", number>)[]>`
    select substr(expires_earliest, 1, 7) as month, ${price.currency} as currency,
      ${sum(sql`1`)} as minor, ${sum(sql`auto_renew`)} as renewing,
      ${count(sql`${kept} ${price.minor}`)} as names, ${count(sql`${kept} 1`)} as renewals,
      ${count(sql`${kept} nullif(auto_renew, 0)`)} as automatic,
      ${count(sql`case when decision = 'drop' then 1`)} as dropping
    from domains ${price.join}
    where ${dueBefore(sql, today, firstOfMonth(today, MONTHS))} and ${isAsked}
    group by 1, 2 order by 1, 2 nulls last`;
  const expiries = Array.from({ length: MONTHS }, (_, index) => {
    const month = firstOfMonth(today, index).slice(0, 7);
    const ofMonth = rows.filter((row) => row.month === month);
    return {
      month,
      names: sumOf("renewals", ofMonth),
      renewing: sumOf("automatic", ofMonth),
      dropping: sumOf("dropping", ofMonth),
    };
  });
  const costs = rows.flatMap(({ month, currency, minor, renewing, names }) =>
    names === 0 ? [] : [{ month, currency, minor, renewing, names }],
  );
  const unpriced = sumOf("renewals", rows) - sumOf("names", rows);
  return { expiries, costs, unpriced };
}

function sumOf<K extends string>(figure: K, rows: readonly Record<K, number>[]): number {
  return rows.reduce((sum, row) => sum + row[figure], 0);
}

export const readYearlyCost: Job<Pick<DatedView, "filter" | "today" | "sight">, YearlyCosts> = {
  name: "sum yearly cost",
  async run(sql, view) {
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
  },
};
