import type { SQL } from "bun";
import type { Day } from "../../shared/day.ts";
import { FINDINGS } from "../../shared/findings.ts";
import type { Fragment } from "../domains/filter-condition.ts";
import { isWanted } from "./crossings.ts";
import { chosenBy, type Recipient } from "./daily-run.ts";
import { addDelivery } from "./deliveries.ts";
import { EMPTY_PAYLOAD, MAX_PAYLOAD_NAMES, type PayloadName } from "./payload.ts";

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
          cast(null as integer) as threshold, 'due' as reason, n.code as finding from ${NEWS[type](sql)}
          and domains.id in (select id from domains where ${isChosen()})
        order by domains.name, n.code`;
      if (found.length === 0) continue;
      const names = found.slice(0, MAX_PAYLOAD_NAMES);
      const more = found.length - names.length;
      await addDelivery(sql, {
        channelId: channel.id,
        key: `${type}:${channel.id}:${Bun.randomUUIDv7()}`,
        type,
        payload: {
          ...EMPTY_PAYLOAD,
          names,
          more: more > 0 ? [{ threshold: null, reason: "due", names: more }] : [],
        },
        at: now,
      });
      added = true;
    }
  }
  await sql`insert into told_findings (domain_id, code)
    select n.domain_id, n.code from ${NEWS["finding.opened"](sql)}`;
  await sql`delete from told_findings where not exists (select 1 from findings f
    where f.domain_id = told_findings.domain_id and f.code = told_findings.code)`;
  return added;
}
