import type { SQL } from "bun";
import { type Fragment, hasRows, readColumn } from "../database/database.ts";
import { addDays, type Day, type Instant } from "../../shared/day.ts";
import { isCurrent, unsoldCondition } from "../domains/list/filter-condition.ts";
import { anyOf } from "../domains/list/search.ts";
import { EVERYTHING } from "../http/route.ts";
import type { PayloadName } from "./payload.ts";
import type { ReminderChoice } from "./reminder-settings.ts";

/** Thresholds that the owner cannot choose; `LAST_DAYS` is another if there is an escalation. */
const ALWAYS = [0, -1];

/** What renews by itself is told when this many days are left, and once its day is over as long ago. */
export const RENEWED_DAYS = 7;
const OVERDUE = -1;

/** Acknowledging and snoozing silence the thresholds above. */
export const LAST_DAYS = 1;

/** The days to act by, both included, that share their tightest threshold; "" is before all. */
export interface Band {
  threshold: number;
  autoRenew: boolean;
  from: Day;
  to: Day;
}

/**
 * The days to act by that cross each threshold on a day: at most that many days are left. What renews by
 * itself crosses two, and only for a while: an old expiry is more likely a stale list than a failure.
 */
export function bandsOf(
  { thresholds, escalation }: Pick<ReminderChoice, "thresholds" | "escalation">,
  today: Day,
): Band[] {
  const always = escalation === null ? ALWAYS : [...ALWAYS, LAST_DAYS];
  const ascending = [...new Set([...always, ...thresholds])].toSorted((one, other) => one - other);
  const bands = ascending.map((threshold, index) => {
    const tighter = ascending[index - 1];
    const from = tighter === undefined ? "" : addDays(today, tighter + 1);
    return { threshold, autoRenew: false, from };
  });
  return [
    ...bands,
    { threshold: OVERDUE, autoRenew: true, from: addDays(today, -RENEWED_DAYS) },
    { threshold: RENEWED_DAYS, autoRenew: true, from: today },
  ].map((band) => Object.assign(band, { to: addDays(today, band.threshold) }));
}

function isOwned(sql: SQL): Fragment {
  return sql`${unsoldCondition(sql)} and ${isCurrent(sql, EVERYTHING)}`;
}

/** Of the table `domains`: it is not sold or archived, and not to be dropped. */
export function isWanted(sql: SQL): Fragment {
  return sql`${isOwned(sql)} and coalesce(decision, '') <> 'drop'`;
}

/** Of the table `domains`: its coming expiry is acknowledged, snoozed, or its to-do done. */
export function isHandled(sql: SQL, today: Day): Fragment {
  return sql`(coalesce(done_for, '') = expires_earliest or exists (
    select 1 from handled where domain_id = domains.id
      and handled.expires_on = expires_earliest and (until is null or until > ${today})))`;
}

/** Of `reminders r join domains`: it is of the day to act by, may lapse, and is not silenced. */
export function isStillDueNow(sql: SQL, today: Day): Fragment {
  return sql`r.expires_on = expires_earliest and ${isWanted(sql)}
    and (coalesce(auto_renew, 0) = 0
      or r.threshold = case when expires_earliest < ${today} then ${OVERDUE} else ${RENEWED_DAYS} end)
    and (r.threshold <= ${LAST_DAYS} or not ${isHandled(sql, today)})`;
}

/** Lists the domains of which a message may still say what it was made for. */
export function listStillDue(sql: SQL, names: readonly PayloadName[], today: Day) {
  const rows = names.map(
    ({ domainId, expiresOn, threshold, reason }, index) => sql`${index === 0 ? sql`` : sql`,`}
      (${domainId}, ${expiresOn}, cast(${threshold} as integer), ${reason})`,
  );
  // What is over, and is not renewed any more, is dropped.
  const isDropped = sql`decision = 'drop' and expires_earliest < ${today} and auto_renew = 0`;
  return readColumn(sql`
    with r (domain_id, expires_on, threshold, reason) as (values ${rows})
    select id from r join domains on id = domain_id
    where (reason <> 'digest' and ${isStillDueNow(sql, today)})
      or (reason = 'digest' and r.expires_on = expires_earliest and ${isOwned(sql)}
        and not ${isHandled(sql, today)} and (${isDropped}) is not true)`);
}

/** Of the table `domains`: its day to act by is in a band. */
function isInBand(sql: SQL, { autoRenew, from, to }: Band): Fragment {
  return sql`coalesce(auto_renew, 0) = ${Number(autoRenew)}
    and expires_earliest >= ${from} and expires_earliest <= ${to}`;
}

/** Of the table `domains`: the tightest threshold that it has crossed, or null. */
function tightest(sql: SQL, bands: readonly Band[]): Fragment {
  const cases = bands.map(
    (band) => sql`when ${isInBand(sql, band)} then cast(${band.threshold} as integer) `,
  );
  return sql`case ${cases} end`;
}

/** Of `reminders r join domains`: its threshold, or a tighter one that it has crossed since. */
export function crossedThreshold(sql: SQL, bands: readonly Band[]): Fragment {
  const crossed = tightest(sql, bands);
  return sql`case when ${crossed} < r.threshold then ${crossed} else r.threshold end as threshold`;
}

/** Of the table `domains`: it had crossed its tightest threshold on a day already, and is no news. */
function isNoNews(sql: SQL, bands: readonly Band[], { day, operations }: NoNews): Fragment {
  const crossed = bands.map((band) => isInBand(sql, { ...band, to: addDays(day, band.threshold) }));
  if (operations === null) return anyOf(sql, crossed);
  return sql`(${anyOf(sql, crossed)}) and exists (select 1 from changes
    where changes.domain_id = domains.id and operation in ${sql([...operations])})`;
}

/** Of the table `domains`: neither the threshold that it has crossed nor a tighter one is recorded. */
function isNew(sql: SQL, bands: readonly Band[]): Fragment {
  const last = bands.reduce((latest, { to }) => (to > latest ? to : latest), "");
  return sql`expires_earliest <= ${last} and ${isWanted(sql)} and ${tightest(sql, bands)} is not null
    and not exists (select 1 from reminders r where r.domain_id = domains.id
      and r.expires_on = expires_earliest and r.threshold <= ${tightest(sql, bands)})`;
}

/** Of `handled h left join domains`: the snooze is over, or the expiry has moved. */
function isOver(sql: SQL, today: Day): Fragment {
  return sql`(until <= ${today}
    or (domains.id is not null and coalesce(expires_earliest, '') <> h.expires_on))`;
}

export async function hasCrossings(sql: SQL, bands: readonly Band[], today: Day): Promise<boolean> {
  return (
    (await hasRows(sql`select id from domains where ${isNew(sql, bands)} limit 1`)) ||
    hasRows(sql`select domain_id from handled h
      left join domains on domains.id = domain_id where ${isOver(sql, today)} limit 1`)
  );
}

/** What these operations brought, or null for everything, is no news if it was crossed on that day. */
export interface NoNews {
  day: Day;
  operations: readonly string[] | null;
}

/** Records the tightest crossing of each domain. The end of a snooze makes it untold again. */
export async function recordCrossings(
  sql: SQL,
  bands: readonly Band[],
  { today, now, noNews }: { today: Day; now: Instant; noNews: readonly NoNews[] },
): Promise<void> {
  await sql`update reminders set state = 'due', told_at = null, told_weekly_at = null
    where exists (select 1 from handled h where h.domain_id = reminders.domain_id
        and h.expires_on = reminders.expires_on and until <= ${today})
      and not exists (select 1 from reminders t where t.domain_id = reminders.domain_id
        and t.expires_on = reminders.expires_on and t.threshold < reminders.threshold)`;
  await sql`delete from handled where (domain_id, expires_on) in (
    select h.domain_id, h.expires_on from handled h
    left join domains on domains.id = h.domain_id where ${isOver(sql, today)})`;
  const isOld = anyOf(sql, [sql`1 = 0`, ...noNews.map((each) => isNoNews(sql, bands, each))]);
  await sql`insert into reminders (domain_id, expires_on, threshold, state, crossed_at)
    select id, expires_earliest, ${tightest(sql, bands)},
      case when ${tightest(sql, bands)} > ${LAST_DAYS} and ${isHandled(sql, today)} then 'silent'
        when ${isOld} then 'baseline' else 'due' end,
      ${now}
    from domains where ${isNew(sql, bands)} on conflict do nothing`;
}
