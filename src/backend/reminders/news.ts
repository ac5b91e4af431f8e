import type { SQL } from "bun";
import type { Day, Instant } from "../../shared/day.ts";
import { FINDINGS } from "../../shared/findings.ts";
import type { Fragment } from "../domains/filter-condition.ts";
import { isWanted } from "./crossings.ts";
import { chosenBy, type Recipient } from "./daily-run.ts";
import { addDelivery } from "./deliveries.ts";
import type { MessageType } from "./message.ts";
import { EMPTY_PAYLOAD, MAX_PAYLOAD_NAMES, type PayloadName } from "./payload.ts";

/** What is told at once: critical findings, and changes. */

const CRITICAL = Object.entries(FINDINGS).flatMap(([code, { severity }]) =>
  severity === "critical" ? code : [],
);

/** Of a domain that somebody wants: critical findings that are not told, and told ones that are over. */
const NEWS = {
  "finding.opened": (sql: SQL): Fragment => sql`findings n join domains on domains.id = n.domain_id
    where ${isWanted(sql)} and n.code in ${sql(CRITICAL)} and not exists (
      select 1 from told_findings t where t.domain_id = n.domain_id and t.code = n.code)`,
  "finding.closed": (sql: SQL): Fragment => sql`told_findings n
    join domains on domains.id = n.domain_id where ${isWanted(sql)} and ${isOver(sql)}`,
} as const;

function isOver(sql: SQL): Fragment {
  return sql`not exists (
    select 1 from findings f where f.domain_id = n.domain_id and f.code = n.code)`;
}

/** Whether there is anything for `tellFindings` to tell. */
export async function hasFindingNews(sql: SQL): Promise<boolean> {
  const opened = await sql`select n.code from ${NEWS["finding.opened"](sql)} limit 1`;
  const closed = await sql`select n.code from told_findings n where ${isOver(sql)} limit 1`;
  return opened.length + closed.length > 0;
}

/**
 * Adds a message for each channel about critical findings that have begun, and one about those that
 * are over; each is told once. Returns whether there was any. Inside a transaction.
 */
export async function tellFindings(
  sql: SQL,
  channels: readonly Recipient[],
  { now, today }: { now: Date; today: Day },
): Promise<boolean> {
  let added = false;
  for (const channel of channels) {
    const isChosen = await chosenBy(sql, channel, today);
    for (const type of ["finding.opened", "finding.closed"] as const) {
      const found = await sql<PayloadName[]>`
        select n.domain_id as "domainId", cast(null as text) as "expiresOn",
          cast(null as integer) as threshold, 'due' as reason, n.code as finding
        from ${NEWS[type](sql)} and domains.id in (select id from domains where ${isChosen()})
        order by domains.name, n.code`;
      const key = `${type}:${channel.id}:${Bun.randomUUIDv7()}`;
      added = (await addNews(sql, { channelId: channel.id, key, type, at: now }, found)) || added;
    }
  }
  await sql`insert into told_findings (domain_id, code)
    select n.domain_id, n.code from ${NEWS["finding.opened"](sql)}`;
  await sql`delete from told_findings where not exists (select 1 from findings f
    where f.domain_id = told_findings.domain_id and f.code = told_findings.code)`;
  return added;
}

/** A change has the time at which it began; it is seen once it is committed, which is later. */
const OVERLAP_MS = 10 * 60_000;

/** What people and imports changed of late: the time of the last change, and the operations before. */
export async function readLastChanges(sql: SQL): Promise<string> {
  const [last] = await sql<{ at: Instant }[]>`select at from changes
    where coalesce(operation, import_id) is not null order by at desc limit 1`;
  const at = last?.at ?? "";
  return [at, ...(await listOperations(sql, at)).map(({ key }) => key)].join(" ");
}

/** Operations and imports that changed something a while before an instant, and since. */
async function listOperations(sql: SQL, at: Instant) {
  const from = new Date((Date.parse(at) || 0) - OVERLAP_MS).toISOString();
  const rows = await sql<{ id: string; at: Instant; by: string }[]>`
    select coalesce(operation, import_id) as id, at, min(made_by) as by from changes
    where at > ${from} and coalesce(operation, import_id) is not null group by 1, 2 order by 2, 1`;
  // An import and its undo have one id.
  return rows.map((row) => Object.assign(row, { key: `${row.id}@${row.at}` }));
}

/**
 * Adds a message for each operation or import since `seen`, an answer of `readLastChanges`, for each
 * of the channels. Returns whether there was any. Inside a transaction.
 */
export async function tellChanges(
  sql: SQL,
  channels: readonly Recipient[],
  { seen, now, today }: { seen: string; now: Date; today: Day },
): Promise<boolean> {
  const [last = "", ...told] = seen.split(" ");
  const operations = (await listOperations(sql, last)).filter(({ key }) => !told.includes(key));
  let added = false;
  for (const { id: channelId, filter } of channels) {
    const isChosen = await chosenBy(sql, { filter }, today);
    for (const { id, at, by, key } of operations) {
      const found = await sql<PayloadName[]>`
        select distinct domain_id as "domainId", cast(null as text) as "expiresOn",
          cast(null as integer) as threshold, 'digest' as reason
        from changes where at = ${at} and coalesce(operation, import_id) = ${id}
          and domain_id in (select id from domains where ${isChosen()})`;
      const message = { channelId, key: `changed:${channelId}:${key}`, at: now };
      added = (await addNews(sql, { ...message, type: "domain.changed" }, found, by)) || added;
    }
  }
  return added;
}

/** Adds a message, where there is anything to say. */
async function addNews(
  sql: SQL,
  message: { channelId: string; key: string; type: MessageType; at: Date },
  found: readonly PayloadName[],
  changedBy?: string,
): Promise<boolean> {
  const [first] = found;
  if (first === undefined) return false;
  const names = found.slice(0, MAX_PAYLOAD_NAMES);
  const rest = { threshold: null, reason: first.reason, names: found.length - names.length };
  const more = rest.names > 0 ? [rest] : [];
  const payload = { ...EMPTY_PAYLOAD, names, more, ...(changedBy !== undefined && { changedBy }) };
  await addDelivery(sql, { ...message, payload });
  return true;
}
