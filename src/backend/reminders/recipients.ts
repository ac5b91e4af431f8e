import type { SQL } from "bun";
import type { Fragment } from "../database/database.ts";
import type { Day, Instant } from "../../shared/day.ts";
import { parseView } from "../../shared/view.ts";
import { viewCondition } from "../domains/list/list-domains.ts";
import { anyOf } from "../domains/list/search.ts";
import { readSight } from "../domains/list/sight.ts";
import { isOfPerson } from "../domains/overview.ts";
import type { Sight } from "../http/route.ts";
import type { StoredChannel } from "./channel-store.ts";
import { type Band, LAST_DAYS } from "./crossings.ts";
import type { MessageType } from "./payload.ts";

/** Thresholds that are escalated. */
export const ESCALATED_DAYS = 14;

export interface Run {
  today: Day;
  now: Instant;
  bands: readonly Band[];
  escalation: string | null;
  /** The first of its week: weekly channels and the digest. */
  isWeekly: boolean;
  /** The missed run that this one makes up for: its day, and since when there was no evaluation. */
  missed: { day: Day; from: Instant } | null;
}

/** A channel, with what the person that it follows sees. */
export interface Recipient extends StoredChannel {
  sight: Sight;
  /** The condition on `domains` of its filter and person. */
  isChosen: Fragment;
}

/** @param type `finding.closed` ignores the findings of the filter. */
export async function readRecipient(
  sql: SQL,
  channel: StoredChannel,
  today: Day,
  type?: MessageType,
): Promise<Recipient> {
  const { filter, person } = channel;
  const { view } = parseView(new URLSearchParams(filter));
  const { finding: _, ...others } = view.filter;
  const own = person === null ? {} : { person: [person] };
  const chosen = { ...(type === "finding.closed" ? others : view.filter), ...own };
  const sight = await readSight(sql, person);
  const condition = await viewCondition(sql, { filter: chosen, today, sight });
  return { ...channel, sight, isChosen: condition() };
}

export function readRecipients(sql: SQL, channels: readonly StoredChannel[], today: Day) {
  return Array.fromAsync(channels, (channel) => readRecipient(sql, channel, today));
}

/** Whether the domain of this id is one of those. SQLite would list 200,000 of them for `in (select …)`. */
export function isAmong(sql: SQL, id: string, isChosen: Fragment): Fragment {
  return sql`exists (select 1 from domains where id = ${sql.unsafe(id)} and ${isChosen})`;
}

/** Of `reminders r join domains`: it goes to every channel, whatever its filter and rhythm. */
export function isForAll(sql: SQL, escalation: string | null, { person, sight }: Recipient) {
  if (escalation === null) return sql`1 = 0`;
  return sql`(r.threshold = ${LAST_DAYS} and ${isOfPerson(sql, person, sight)})`;
}

/** Of `reminders r join domains`: the channel is to be told in this run, and was not. */
export function isFor(sql: SQL, recipient: Recipient, { escalation, isWeekly }: Run): Fragment {
  const { rhythm, isChosen } = recipient;
  const isLast = isForAll(sql, escalation, recipient);
  const isOpen = rhythm === "daily" ? sql`r.told_at is null` : sql`r.told_weekly_at is null`;
  const isDay = rhythm === "daily" || isWeekly ? sql`1 = 1` : sql`1 = 0`;
  return sql`((${isLast} and r.told_at is null)
    or (not (${isLast}) and ${isDay} and ${isOpen}
      and ${isAmong(sql, "r.domain_id", isChosen)}))`;
}

/** Of `reminders r join domains`: some channel is told of it in this run, or would be once it is escalated. */
export function isForAny(sql: SQL, recipients: readonly Recipient[], run: Run): Fragment {
  const isEscalated = run.escalation === null ? sql`1 = 0` : sql`r.threshold <= ${ESCALATED_DAYS}`;
  return sql`(${anyOf(sql, [isEscalated, ...recipients.map((each) => isFor(sql, each, run))])})`;
}
