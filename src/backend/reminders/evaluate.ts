import type { SQL } from "bun";
import { addDays, DAY_SECONDS, HOUR_MS, type Instant } from "../../shared/day.ts";
import { hasRows, instantIn, type Job } from "../database/database.ts";
import { bandsOf, hasCrossings, type NoNews, recordCrossings } from "./crossings.ts";
import { collectMessage, countWaiting, markTold, takeUrgent } from "./daily-run.ts";
import { findChannel, readChannels, type StoredChannel } from "./channel-store.ts";
import { addDelivery } from "./deliveries.ts";
import { type Message, renderMessage, type Sender } from "./message.ts";
import { hasFindingNews, listChangeTimes, tellChanges, tellFindings } from "./news.ts";
import { isForAny, readRecipient, readRecipients, type Run } from "./recipients.ts";
import {
  dayIn,
  firstState,
  nextRun,
  readReminders,
  readState,
  type ReminderChoice,
  type ReminderState,
  saveState,
  weekOf,
} from "./reminder-settings.ts";

const NOTE_MS = 60_000;

/** A run is late after this, and a gap stands on the screen. */
const LATE_MS = HOUR_MS;
const LONG_GAP_MS = 25 * LATE_MS;

/** Findings of this time after others are told together. */
const FINDINGS_PAUSE_MS = 5 * 60_000;

/** Whether to evaluate, or only to note that the program runs. Asked every few seconds: it only reads. */
export const planEvaluation: Job<{ now: Date }, "off" | "idle" | "note" | "evaluate"> = {
  name: "plan the evaluation of reminders",
  async run(sql, { now }) {
    const { on, ...choice } = await readReminders(sql);
    if (!on) return "off";
    const state = await readState(sql);
    if (state === null || state.baselineAt !== null || state.nextAt <= now.toISOString())
      return "evaluate";
    const today = dayIn(choice.timeZone, now);
    if (await hasCrossings(sql, bandsOf(choice, today), today)) return "evaluate";
    const channels = await readChannels(sql);
    if (channels.length > 0 && !state.begun) return "evaluate";
    if (channels.length > 0 && mayTellFindings(state, now) && (await hasFindingNews(sql, today))) {
      return "evaluate";
    }
    const changes = await readChangesSeen(sql, channels, state.changesSeen);
    if (!Bun.deepEquals(changes, state.changesSeen)) return "evaluate";
    return Math.abs(sinceMs(state.lastEvaluatedAt, now)) < NOTE_MS ? "idle" : "note";
  },
};

export async function noteEvaluation(sql: SQL, now: Date): Promise<void> {
  const state = await readState(sql);
  if (state !== null) await saveState(sql, advance(state, await readReminders(sql), now));
}

/** What a list has instead of its instant once it was seen. */
const SEEN_AT: Instant = "1970-01-01T00:00:00.000Z";

/** How long a message that is done stays in the list. */
const KEPT_SECONDS = 90 * DAY_SECONDS;

/** Forgets messages that are old, and what was told of domains that are neither in the register nor in the bin. */
export const sweepReminders: Job<null, void> = {
  name: "sweep reminders",
  async run(sql) {
    await sql`delete from deliveries
      where due_at is null and created_at < ${instantIn(sql, -KEPT_SECONDS)}`;
    for (const table of ["reminders", "handled", "told_findings"]) {
      await sql`delete from ${sql(table)}
        where domain_id not in (select id from domains)
          and domain_id not in (select domain_id from bin)`;
    }
  },
};

/** Records crossings and adds the messages that are due, in one transaction. */
export const evaluateReminders: Job<{ now: Date }, void> = {
  name: "evaluate reminders",
  async run(sql, { now }) {
    const { on, ...choice } = await readReminders(sql);
    if (!on) return;
    const before = (await readState(sql)) ?? firstState(now, choice);
    const today = dayIn(choice.timeZone, now);
    const bands = bandsOf(choice, today);
    const at = now.toISOString();
    // What was crossed before reminders began, and what lists of names have brought since. One that is
    // later than now comes from a clock that was ahead.
    const marked = await sql<{ operation: string; at: Instant }[]>`
      select operation, at from no_news
      where at > ${SEEN_AT} and at > ${before.noNewsSeen} and at > ${before.baselineAt ?? ""}`;
    await sql`update no_news set at = ${SEEN_AT} where at > ${SEEN_AT}`;
    const dayOf = (instant: Instant) => dayIn(choice.timeZone, new Date(instant));
    const noNews: NoNews[] = [
      ...Map.groupBy(marked, (each) => dayOf(each.at < at ? each.at : at)),
    ].map(([day, each]) => ({ day, operations: each.map(({ operation }) => operation) }));
    if (before.baselineAt !== null) {
      noNews.push({ day: dayOf(before.baselineAt), operations: null });
    }
    await recordCrossings(sql, bands, { today, now: at, noNews });
    const channels = await readChannels(sql);
    const state = {
      ...advance(before, choice, now),
      baselineAt: null,
      noNewsSeen: "",
      changesSeen: await readChangesSeen(sql, channels, before.changesSeen),
    };
    const { changesSeen } = before;
    const times = changesSeen && state.changesSeen?.filter((each) => !changesSeen.includes(each));
    const week = weekOf(today);
    const { lastEvaluatedAt: from } = before;
    const isMissed = from !== null && from <= state.nextAt && sinceMs(state.nextAt, now) > LATE_MS;
    const missedDay = dayOf(state.nextAt) === today ? today : addDays(today, -1);
    const run: Run = {
      today,
      now: at,
      bands,
      escalation: choice.escalation,
      isWeekly: week !== state.week,
      missed: isMissed ? { day: missedDay, from } : null,
    };
    await tellChanges(sql, channels, run, times ?? []);
    if (channels.length > 0 && !state.begun) {
      state.begun = true;
      const urgent = state.nextAt > at ? await takeUrgent(sql, channels, run) : [];
      for (const { channelId, payload } of urgent) {
        const key = `first:${channelId}:${at}`;
        await addDelivery(sql, { channelId, key, type: "reminder.due", payload, at: now });
      }
    }
    if (channels.length > 0 && mayTellFindings(state, now)) {
      if (await tellFindings(sql, channels, run)) state.findingsToldAt = at;
    }
    if (state.nextAt <= at) {
      const wasRun = await hasRows(sql`
        select id from deliveries where delivery_key like ${`daily:%:${today}`} limit 1`);
      if (channels.length > 0 && !wasRun) {
        const recipients = await readRecipients(sql, channels, today);
        const isToldNow = isForAny(sql, recipients, run);
        if (state.late?.to === at) {
          const isLate = sql`r.told_at is null and ${isToldNow}`;
          const { late } = await countWaiting(sql, run, isLate, []);
          state.late = { ...state.late, names: late };
        }
        for (const recipient of recipients) {
          const message = await collectMessage(sql, recipient, run);
          if (message === null) continue;
          // One a day at most, whatever the clock does.
          const key = `daily:${recipient.id}:${today}`;
          await addDelivery(sql, { channelId: recipient.id, key, ...message, at: now });
        }
        await markTold(sql, run, isToldNow);
        state.week = week;
      }
      state.nextAt = nextRun(now, choice);
    }
    await saveState(sql, state);
  },
};

/** The state after an evaluation. A next run too far ahead comes from a clock that was ahead. */
function advance(state: ReminderState, choice: ReminderChoice, now: Date): ReminderState {
  const { lastEvaluatedAt, nextAt, late } = state;
  const at = now.toISOString();
  const next = nextRun(now, choice);
  const isLong = sinceMs(lastEvaluatedAt, now) > LONG_GAP_MS;
  return {
    ...state,
    lastEvaluatedAt: at,
    nextAt: nextAt < next ? nextAt : next,
    late: isLong && lastEvaluatedAt !== null ? { from: lastEvaluatedAt, to: at, names: 0 } : late,
  };
}

function mayTellFindings({ findingsToldAt }: ReminderState, now: Date): boolean {
  const passed = sinceMs(findingsToldAt, now);
  return !(passed >= 0 && passed < FINDINGS_PAUSE_MS);
}

/** NaN, which is neither more nor less than any time, for never. */
function sinceMs(at: Instant | null, now: Date): number {
  return now.getTime() - Date.parse(at ?? "");
}

/** The instants of changes since those that were told; null if no channel asks for them. */
async function readChangesSeen(sql: SQL, channels: StoredChannel[], seen: Instant[] | null) {
  return channels.some(({ changes }) => changes) ? listChangeTimes(sql, seen) : null;
}

/** Begins to tell changes once a channel asks for them. */
export async function followChanges(sql: SQL): Promise<void> {
  const state = await readState(sql);
  if (state === null || state.changesSeen !== null) return;
  const changesSeen = await readChangesSeen(sql, await readChannels(sql), null);
  if (changesSeen !== null) await saveState(sql, { ...state, changesSeen });
}

/** What a channel would be told next; null for nothing. @throws {RequestError} 404 */
export const previewMessage: Job<{ channelId: string; now: Date; sender: Sender }, Message | null> =
  {
    name: "preview message",
    async run(sql, { channelId, now, sender }) {
      const channel = await findChannel(sql, channelId);
      const choice = await readReminders(sql);
      const state = await readState(sql);
      if (!choice.on || state === null) return null;
      const at = new Date(state.nextAt);
      const today = dayIn(choice.timeZone, at);
      const next = await collectMessage(sql, await readRecipient(sql, channel, today), {
        today,
        now: now.toISOString(),
        bands: bandsOf(choice, today),
        escalation: choice.escalation,
        isWeekly: channel.rhythm === "weekly" || weekOf(today) !== state.week,
        missed: null,
      });
      if (next === null) return null;
      const means = { now: at, ...sender, isPreview: true };
      return renderMessage(sql, { id: "", ...next }, channel, means);
    },
  };
