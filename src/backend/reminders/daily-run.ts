import type { SQL } from "bun";
import type { SqlRow } from "../database/bulk-rows.ts";
import { countRows, type Fragment } from "../database/database.ts";
import { addDays, type Day, DAY_MS, type Instant } from "../../shared/day.ts";
import { GRACE_DAYS } from "../../shared/work.ts";
import { lapsedCondition } from "../domains/list/filter-condition.ts";
import { anyOf } from "../domains/list/search.ts";
import { isOfPerson } from "../domains/overview.ts";
import {
  type Band,
  bandsOf,
  crossedThreshold,
  isHandled,
  isStillDueNow,
  isWanted,
  LAST_DAYS,
  RENEWED_DAYS,
} from "./crossings.ts";
import type { StoredChannel } from "./channel-store.ts";
import {
  countNames,
  EMPTY_PAYLOAD,
  MAX_PAYLOAD_NAMES,
  type MessageType,
  type Payload,
  type PayloadName,
} from "./payload.ts";
import {
  ESCALATED_DAYS,
  isAmong,
  isFor,
  isForAll,
  readRecipient,
  readRecipients,
  type Recipient,
  type Run,
} from "./recipients.ts";
import { readReminders } from "./reminder-settings.ts";

/** How many already-expired and coming domains of the baseline are named; the others are counted. */
const MAX_BASELINE_EXPIRED = 30;
const MAX_BASELINE_AHEAD = 20;

/** A threshold is escalated this long after it was told. */
const ESCALATION_MS = 3 * DAY_MS;

/** Collects what a channel is told; marks nothing as told. */
export async function collectMessage(sql: SQL, recipient: Recipient, run: Run) {
  const { isChosen } = recipient;
  const isForIt = isFor(sql, recipient, run);
  const isLongExpired = sql`(r.state = 'baseline'
    and r.expires_on < ${addDays(run.today, -GRACE_DAYS)})`;
  const isNamed = sql`${isForIt} and not ${isLongExpired}`;
  const longExpired = await countRows(
    sql,
    sql`(select 1 as one ${fromWaiting(sql, run)} and ${isForIt} and ${isLongExpired}) old`,
  );
  const due = await listWaiting(sql, run, sql`${isNamed} and r.state <> 'baseline'`);
  const isBaseline = sql`${isNamed} and r.state = 'baseline'`;
  const expired = await listWaiting(sql, run, sql`${isBaseline} and r.threshold < 0`);
  const ahead = await listWaiting(sql, run, sql`${isBaseline} and r.threshold >= 0`);
  const baseline = [
    ...expired.slice(0, MAX_BASELINE_EXPIRED),
    ...ahead.slice(0, MAX_BASELINE_AHEAD),
  ];
  const escalated = run.escalation === null ? [] : await listEscalated(sql, run, recipient);
  const dueIds = new Set(due.map(({ domainId }) => domainId));
  const isLast = ({ threshold }: PayloadName) => (threshold ?? 0) <= LAST_DAYS;
  const news = [
    ...due.filter(isLast),
    // Others are told again by a tighter threshold; these are not.
    ...escalated.filter(({ domainId }) => !dueIds.has(domainId)),
    ...due,
    ...baseline,
  ];
  if (news.length + longExpired === 0 && !run.isWeekly) return null;
  const names = new Map<string, PayloadName>();
  for (const name of [...news, ...(await listDigest(sql, run, isChosen))]) {
    if (names.size < MAX_PAYLOAD_NAMES && !names.has(name.domainId)) names.set(name.domainId, name);
  }
  if (names.size + longExpired === 0) return null;
  const listed = [...names.values()];
  const { more, late } = await countWaiting(sql, run, isNamed, listed);
  const escalatedMore = countNames(escalated.filter(({ domainId }) => !names.has(domainId)));
  const count = (condition: Fragment) =>
    countRows(sql, sql`domains where ${condition} and ${isWanted(sql)} and ${isChosen}`);
  const hasNews = longExpired > 0 || listed.some(({ reason }) => reason !== "digest");
  const type: MessageType = hasNews ? "reminder.due" : "reminder.digest";
  return {
    type,
    payload: {
      ...EMPTY_PAYLOAD,
      names: listed,
      more: [...more, ...escalatedMore],
      runs: [run.now],
      ...(run.isWeekly && (await listRenewed(sql, isChosen))),
      unknown: run.isWeekly ? await count(sql`expires_earliest is null`) : null,
      overdue: run.isWeekly ? await count(isOverdue(sql, run)) : null,
      longExpired: longExpired || null,
      late: run.missed && late > 0 ? { from: run.missed.from, to: run.now, names: late } : null,
    },
  };
}

/** @param from The rows, as `from reminders r join domains …`. */
async function mark(sql: SQL, columns: SqlRow, from: Fragment): Promise<void> {
  await sql`update reminders set ${sql(columns)} where (domain_id, expires_on, threshold) in (
    select r.domain_id, r.expires_on, r.threshold ${from})`;
}

/** Collects what the first channels are told at once, and marks it as told. */
export async function takeUrgent(sql: SQL, channels: readonly StoredChannel[], run: Run) {
  const recipients = await readRecipients(sql, channels, run.today);
  const urgent: { channelId: string; payload: Payload }[] = [];
  for (const { id: channelId, isChosen } of recipients) {
    const where = isUrgent(sql, run, isChosen);
    const names = await listWaiting(sql, run, where);
    if (names.length === 0) continue;
    const { more } = await countWaiting(sql, run, where, names);
    urgent.push({ channelId, payload: { ...EMPTY_PAYLOAD, names, more, runs: [run.now] } });
  }
  const isForOne = anyOf(
    sql,
    recipients.map(({ isChosen }) => isUrgent(sql, run, isChosen)),
  );
  const told = { told_at: run.now, told_weekly_at: run.now };
  await mark(sql, told, sql`${fromWaiting(sql, run)} and (${isForOne})`);
  return urgent;
}

/** Of `reminders r`: it is of today or tomorrow, was not told before a restore, and a channel asks for it. */
function isUrgent(sql: SQL, { today }: Run, isChosen: Fragment): Fragment {
  return sql`r.told_at is null and r.expires_on between ${today} and ${addDays(today, LAST_DAYS)}
    and ${isAmong(sql, "r.domain_id", isChosen)}`;
}

/** @param isTold Of `reminders r join domains`; what no channel is told of waits for one that is. */
export async function markTold(sql: SQL, run: Run, isTold: Fragment): Promise<void> {
  const { today, now, isWeekly, escalation } = run;
  const joined = sql`from reminders r join domains on domains.id = r.domain_id`;
  if (escalation !== null) {
    await mark(sql, { state: "escalated" }, sql`${joined} where ${isEscalated(sql, run)}`);
  }
  const due = sql`${joined} where r.state <> 'silent' and ${isStillDueNow(sql, today)}`;
  await mark(sql, { told_at: now }, sql`${due} and told_at is null and ${isTold}`);
  if (isWeekly) {
    const isToldNow = sql`told_weekly_at is null and told_at is not null`;
    await mark(sql, { told_weekly_at: now }, sql`${due} and ${isToldNow}`);
    await sql`update reminders set state = 'obsolete'
      where state in ('due', 'baseline', 'escalated') and told_at is not null and exists (
        select 1 from domains where id = domain_id and expires_earliest > reminders.expires_on)`;
  }
}

/** Counts what a channel was told in some runs, still stands and is not `listed`. */
export async function countTold(
  sql: SQL,
  channel: StoredChannel,
  runs: readonly Instant[],
  { today, listed }: { today: Day; listed: readonly PayloadName[] },
): Promise<Payload["more"]> {
  if (runs.length === 0) return [];
  // Of an empty list, "not in" finds nothing on Postgres.
  const ids = ["", ...listed.map(({ domainId }) => domainId)];
  const recipient = await readRecipient(sql, channel, today);
  const choice = await readReminders(sql);
  const told = channel.rhythm === "daily" ? sql`r.told_at` : sql`r.told_weekly_at`;
  return sql<Payload["more"][number][]>`
    select ${thresholdAndReason(sql, bandsOf(choice, today))}, cast(count(*) as integer) as names
    ${fromStanding(sql, today)}
      and r.domain_id not in ${sql(ids)}
      and ((${told} in ${sql([...runs])}
          and ${isAmong(sql, "r.domain_id", recipient.isChosen)})
        or (${isForAll(sql, choice.escalation, recipient)} and r.told_at in ${sql([...runs])}))
    group by 1, 2 order by 1, 2`;
}

/** SQL from its `from` on: of `fromStanding`, what was not told to all. */
function fromWaiting(sql: SQL, { today }: Run): Fragment {
  return sql`${fromStanding(sql, today)} and (r.told_at is null or r.told_weekly_at is null)`;
}

/** SQL from its `from` on: the tightest threshold that each domain has crossed, where not silenced. */
function fromStanding(sql: SQL, today: Day): Fragment {
  return sql`from reminders r join domains on domains.id = r.domain_id
    where r.state <> 'silent' and ${isStillDueNow(sql, today)}
      and not exists (select 1 from reminders t where t.domain_id = r.domain_id
        and t.expires_on = r.expires_on and t.threshold < r.threshold)`;
}

/** Today and tomorrow first, then what has expired, the newest first, and the others by day. */
async function listWaiting(sql: SQL, run: Run, where: Fragment): Promise<PayloadName[]> {
  const { today } = run;
  return sql<PayloadName[]>`
    select r.domain_id as "domainId", r.expires_on as "expiresOn", ${thresholdAndReason(sql, run.bands)}
    ${fromWaiting(sql, run)} and ${where}
    order by case when r.expires_on < ${today} then 1
        when r.expires_on <= ${addDays(today, LAST_DAYS)} then 0 else 2 end,
      case when r.expires_on < ${today} then '' else r.expires_on end, r.expires_on desc, sort_name
    limit ${MAX_PAYLOAD_NAMES}`;
}

/** Counts by threshold what is not listed, and how many of all are late. */
export async function countWaiting(
  sql: SQL,
  run: Run,
  where: Fragment,
  listed: readonly PayloadName[],
): Promise<{ more: Payload["more"]; late: number }> {
  const { missed, bands } = run;
  const cases = bands.map(
    ({ threshold }) =>
      sql`when ${threshold} then ${missed === null ? "" : addDays(missed.day, threshold)} `,
  );
  const rows = await sql<(Payload["more"][number] & { late: number })[]>`
    select ${thresholdAndReason(sql, bands)}, cast(count(*) as integer) as names,
      cast(sum(case when r.expires_on <= case r.threshold ${cases} end then 1 else 0 end)
        as integer) as late
    ${fromWaiting(sql, run)} and ${where} group by 1, 2 order by 1, 2`;
  const due = rows.filter(({ reason }) => reason === "due");
  const more = rows.flatMap(({ threshold, reason, names }) => {
    const known = listed.filter(
      (name) => name.threshold === threshold && name.reason === reason && !name.escalated,
    );
    return names > known.length ? { threshold, reason, names: names - known.length } : [];
  });
  return { more, late: due.reduce((sum, { late }) => sum + late, 0) };
}

function thresholdAndReason(sql: SQL, bands: readonly Band[]): Fragment {
  return sql`${crossedThreshold(sql, bands)},
    case r.state when 'baseline' then 'baseline' else 'due' end as reason`;
}

/** Of `reminders r join domains`: told a while ago, not to all channels, and not handled since. */
function isEscalated(sql: SQL, { today, now }: Run): Fragment {
  const before = new Date(Date.parse(now) - ESCALATION_MS).toISOString();
  return sql`r.state = 'due' and r.threshold <= ${ESCALATED_DAYS} and r.threshold <> ${LAST_DAYS}
    and r.told_at <= ${before} and ${isStillDueNow(sql, today)} and not ${isHandled(sql, today)}`;
}

/** What the escalation channel is told, and every other of what that one, following a person, is not. */
async function listEscalated(sql: SQL, run: Run, { id, person, sight }: Recipient) {
  const isCovered = sql`exists (select 1 from channels where channels.id = ${run.escalation}
    and (channels.person_id is null or channels.person_id = domains.person_id))`;
  const rows = await sql<PayloadName[]>`
    select r.domain_id as "domainId", r.expires_on as "expiresOn",
      min(r.threshold) as threshold, 'due' as reason
    from reminders r join domains on domains.id = r.domain_id
    where ${isEscalated(sql, run)} and ${isOfPerson(sql, person, sight)}
      and ${id === run.escalation ? sql`1 = 1` : sql`not ${isCovered}`}
    group by r.domain_id, r.expires_on order by r.expires_on, r.domain_id`;
  return rows.map((row) => Object.assign(row, { escalated: true as const }));
}

/** Lists what no message is sent for: what may still be charged for; in digests, what is dropped or expired. */
async function listDigest(sql: SQL, { today, bands, isWeekly }: Run, isChosen: Fragment) {
  const cases = bands.map(
    ({ threshold, to }) => sql`when expires_earliest <= ${to} then cast(${threshold} as integer) `,
  );
  const last = Math.max(...bands.map(({ threshold }) => threshold));
  const isSoon = isWeekly
    ? sql`expires_earliest between ${today} and ${addDays(today, last)}`
    : sql`1 = 0`;
  const isInGrace = isWeekly
    ? sql`${isWanted(sql)} and expires_earliest < ${today}
        and expires_earliest >= ${addDays(today, -GRACE_DAYS)}
        and exists (select 1 from reminders r where r.domain_id = domains.id
          and r.expires_on = expires_earliest and r.threshold = -1 and r.told_at is not null)`
    : sql`1 = 0`;
  return sql<PayloadName[]>`
    select id as "domainId", expires_earliest as "expiresOn", case ${cases} end as threshold,
      'digest' as reason
    from domains where ((decision = 'drop' and sold_on is null and sold_minor is null
        and (${lapsedCondition(sql, today)}) is not true and (${isSoon}
          or (coalesce(auto_renew, 1) = 1 and expires_earliest <= ${addDays(today, LAST_DAYS)})))
      or (${isInGrace}))
      and not ${isHandled(sql, today)} and ${isChosen}
    order by expires_earliest, sort_name limit ${MAX_PAYLOAD_NAMES}`;
}

async function listRenewed(sql: SQL, isChosen: Fragment) {
  const rows = await sql<{ domainId: string; expiresOn: Day; all: number }[]>`
    select domain_id as "domainId", max(r.expires_on) as "expiresOn",
      cast(count(*) over () as integer) as "all"
    from reminders r
    where r.state in ('due', 'baseline', 'escalated') and r.told_at is not null
      and r.expires_on < (select expires_earliest from domains where id = domain_id)
      and ${isAmong(sql, "r.domain_id", isChosen)}
    group by domain_id order by domain_id limit ${MAX_PAYLOAD_NAMES}`;
  const renewed = rows.map(({ domainId, expiresOn }) => ({ domainId, expiresOn }));
  return { renewed, moreRenewed: (rows[0]?.all ?? 0) - rows.length };
}

/** Of the table `domains`: it expired long ago although auto-renew is on, and no reminder was of that. */
function isOverdue(sql: SQL, { today }: Run): Fragment {
  return sql`auto_renew = 1 and expires_earliest < ${addDays(today, -RENEWED_DAYS)}
    and not ${isHandled(sql, today)} and not exists (select 1 from reminders r
      where r.domain_id = domains.id and r.expires_on = expires_earliest and r.threshold = -1)`;
}
