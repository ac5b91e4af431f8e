import type { SQL } from "bun";
import { databaseClock, type Fragment, hasRows } from "../database/database.ts";
import type { Day, Instant } from "../../shared/day.ts";
import { parseTerm } from "../../shared/filter-term.ts";
import { FINDINGS } from "../../shared/findings.ts";
import { parseSource } from "../../shared/source.ts";
import { parseView } from "../../shared/view.ts";
import { HOLDS } from "../../shared/advice.ts";
import { isWanted } from "./crossings.ts";
import type { StoredChannel } from "./channel-store.ts";
import { addDelivery } from "./deliveries.ts";
import { EMPTY_PAYLOAD, limitNames, type MessageType, type PayloadName } from "./payload.ts";
import { isAmong, readRecipient, readRecipients, type Run } from "./recipients.ts";
import { openFindings } from "../domains/list/filter-condition.ts";
import { inShown } from "../domains/list/shown.ts";
import { isMade, listLastTimes } from "../domains/write/history.ts";
import { EVERYTHING } from "../http/route.ts";

/** What is told at once: critical findings, and changes. */

const CRITICAL = Object.entries(FINDINGS).flatMap(([code, { severity }]) =>
  severity === "critical" ? code : [],
);

/** Critical findings to report, and reported ones that are over. A hold after the expiry does not count. */
const NEWS = {
  "finding.opened": (sql: SQL, today: Day): Fragment => sql`${openFindings(sql)} n
    join domains on domains.id = n.domain_id
    where ${isWanted(sql)} and n.code in ${sql(CRITICAL)} and not exists (
      select 1 from told_findings t where t.domain_id = n.domain_id and t.code = n.code)
    and not (n.code in ${sql([...HOLDS])} and coalesce(expires_earliest, ${today}) < ${today})`,
  "finding.closed": (sql: SQL): Fragment => sql`told_findings n
    join domains on domains.id = n.domain_id where ${isWanted(sql)} and ${isOver(sql)}`,
} as const;

function isOver(sql: SQL): Fragment {
  // The codes are named so that SQLite looks at no others.
  return sql`not exists (select 1 from ${openFindings(sql)} f
    where f.domain_id = n.domain_id and f.code = n.code and f.code in ${sql(CRITICAL)})`;
}

export async function hasFindingNews(sql: SQL, today: Day): Promise<boolean> {
  return (
    (await hasRows(sql`select n.code from ${NEWS["finding.opened"](sql, today)} limit 1`)) ||
    hasRows(sql`select n.code from told_findings n where ${isOver(sql)} limit 1`)
  );
}

/** Adds messages about critical findings that have begun or are over; returns whether any was added. */
export async function tellFindings(sql: SQL, channels: readonly StoredChannel[], run: Run) {
  const { today, now } = run;
  let added = false;
  for (const channel of channels) {
    for (const type of ["finding.opened", "finding.closed"] as const) {
      const { isChosen } = await concernedBy(sql, channel, type, today);
      const found = await sql<PayloadName[]>`
        select n.domain_id as "domainId", cast(null as text) as "expiresOn",
          cast(null as integer) as threshold, 'due' as reason, n.code as finding
        from ${NEWS[type](sql, today)} and ${isChosen}
        order by domains.sort_name, n.code`;
      const key = `${type}:${channel.id}:${Bun.randomUUIDv7()}`;
      const message = { channelId: channel.id, key, type, at: new Date(now) };
      added = (await addNews(sql, message, found)) || added;
    }
  }
  await sql`insert into told_findings (domain_id, code)
    select n.domain_id, n.code from ${NEWS["finding.opened"](sql, today)}`;
  await sql`delete from told_findings as n where ${isOver(sql)}`;
  return added;
}

/**
 * A channel's filter, of `domains` and the finding `n`; if that is over, of `domains` alone. In an object, as
 * `await` would run a fragment.
 */
async function concernedBy(sql: SQL, channel: StoredChannel, type: keyof typeof NEWS, today: Day) {
  const { isChosen: own } = await readRecipient(sql, channel, today);
  const isChosen = isAmong(sql, "n.domain_id", own);
  const { finding = [] } = parseView(new URLSearchParams(channel.filter)).view.filter;
  const asked = finding.map(parseTerm).filter(({ not }) => !not);
  const codes = CRITICAL.filter((code) =>
    asked.some(({ text }) => ["any", "critical", code].includes(text)),
  );
  if (type === "finding.opened" || codes.length === 0) return { isChosen };
  const other = await readRecipient(sql, channel, today, "finding.closed");
  const isOther = isAmong(sql, "n.domain_id", other.isChosen);
  return { isChosen: sql`(${isChosen} or (n.code in ${sql(codes)} and ${isOther}))` };
}

/** A change is dated when it begins, and seen once it is committed. */
const OVERLAP_MS = 10 * 60_000;

const readNow = databaseClock();

/** More than any time has. */
const ALL_TIMES = 1_000_000;

/**
 * The instants at which people and imports changed something, the oldest first: from a while before the
 * last of `seen`, an earlier answer; null: before the last change.
 */
export async function listChangeTimes(sql: SQL, seen: readonly Instant[] | null) {
  const [last = ""] = seen?.slice(-1) ?? (await listLastTimes(sql, 1, EVERYTHING));
  // The last may be of a clock that was ahead.
  const since = Math.min(Date.parse(last) || 0, (await readNow(sql)).getTime());
  const from = new Date(since - OVERLAP_MS).toISOString();
  return (await listLastTimes(sql, ALL_TIMES, EVERYTHING, from)).toReversed();
}

/** Adds a message for each operation or import of some instants, to channels that ask for changes. */
export async function tellChanges(
  sql: SQL,
  channels: readonly StoredChannel[],
  { today, now }: Run,
  times: readonly Instant[],
): Promise<void> {
  if (times.length === 0) return;
  const made = await sql<{ id: string; at: Instant; person: string | null; by: string }[]>`
    select coalesce(operation, import_id) as id, at, min(made_by) as person, min(made_by_name) as by
    from changes where at in ${sql([...times])} and ${isMade(sql)} group by 1, 2 order by 2, 1`;
  // What accounts at registrars bring each day is no more news than what checks find.
  const operations = made.filter(
    ({ person, by }) => person !== null || parseSource(by).kind !== "account",
  );
  const asking = channels.filter(({ changes }) => changes);
  for (const { id: channelId, sight, isChosen } of await readRecipients(sql, asking, today)) {
    for (const { id, at, by } of operations) {
      const found = await sql<PayloadName[]>`
        select distinct domain_id as "domainId", cast(null as text) as "expiresOn",
          cast(null as integer) as threshold, 'digest' as reason
        from changes where at = ${at} and coalesce(operation, import_id) = ${id}
          ${inShown(sql, sight)} and ${isAmong(sql, "changes.domain_id", isChosen)}`;
      // An import and its undo have one id.
      const message = { channelId, key: `changed:${channelId}:${id}@${at}`, at: new Date(now) };
      await addNews(sql, { ...message, type: "domain.changed" }, found, by);
    }
  }
}

async function addNews(
  sql: SQL,
  message: { channelId: string; key: string; type: MessageType; at: Date },
  found: readonly PayloadName[],
  changedBy: string | null = null,
): Promise<boolean> {
  if (found.length === 0) return false;
  const payload = { ...EMPTY_PAYLOAD, ...limitNames(found), changedBy };
  await addDelivery(sql, { ...message, payload });
  return true;
}
