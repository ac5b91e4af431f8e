import type { SQL } from "bun";
import { HOUR_MS, type Instant } from "../../shared/day.ts";
import { createCounter } from "../../shared/metrics.ts";
import { type Database, readColumn, databaseClock } from "../database/database.ts";
import { logFailure } from "../database/database-error.ts";
import { createQueue } from "../database/event-loop.ts";
import { finishLeased, leaseDue } from "../jobs/lease.ts";
import type { Loop } from "../jobs/loop.ts";
import { ATTEMPT_TIMEOUT_MS, endUnreadable, type StoredDelivery } from "./deliveries.ts";
import type { SendResult } from "./message.ts";
import { readPayload } from "./payload.ts";

export const DELIVERY_ATTEMPTS = createCounter(
  "freehold_delivery_attempts_total",
  "Attempts to send a message, by how they ended.",
);

/** Writes what a delivery says now and sends it. Null: its channel or what it says is gone. */
export type Deliver = (
  channelId: string,
  delivery: StoredDelivery,
  signal: AbortSignal,
) => Promise<(SendResult & { subject?: string }) | null>;

const LEASE_MS = 60_000;
/** How long the next message waits for one to be sent and settled, so that a kill repeats only that. */
const TURN_MS = 500;
/** A mail that is being accepted when the server stops should not come twice. */
const STOP_TIMEOUT_MS = 3_000;

/** Pauses after the first failure, the second, …, each ± 20 %. One failure more is the last. */
const RETRY_MS: readonly number[] = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** Leases what is due, sends it outside any transaction, and marks it. Returns what wakes it. */
export function createOutbox(
  database: Database,
  deliver: Deliver,
  { loop, clock, pollMs }: { loop: Loop; clock: (() => Date) | undefined; pollMs: number },
): () => void {
  const readNow = databaseClock(clock);
  const stopped = new AbortController();
  const open = new Map<string, Promise<void>>();
  const turns = createQueue();

  async function round(signal: AbortSignal): Promise<boolean> {
    const due = await database.read(async (sql) => {
      const at = (await readNow(sql)).toISOString();
      return readColumn(sql`select id from channels where state = 'working'
        and id in (select channel_id from deliveries where due_at <= ${at})`);
    });
    for (const id of due.filter((each) => !open.has(each))) {
      const drained = drain(id, signal)
        .catch(logFailure("Sending messages failed"))
        .finally(() => open.delete(id));
      open.set(id, drained);
    }
    return false;
  }

  async function drain(channelId: string, stopping: AbortSignal): Promise<void> {
    for (let sent = true; sent && !stopping.aborted;) {
      const turn = await turns(async () => {
        const attempt = stopping.aborted ? Promise.resolve(false) : sendNext(channelId);
        await Promise.race([attempt.catch(() => {}), Bun.sleep(TURN_MS)]);
        return { attempt };
      });
      sent = await turn.attempt;
    }
  }

  async function sendNext(channelId: string): Promise<boolean> {
    const endsAt = performance.now() + LEASE_MS;
    const leased = await database.write(async (sql) => {
      const where = sql`channel_id = ${channelId}
        and exists (select 1 from channels where id = ${channelId} and state = 'working')`;
      const about = { table: "deliveries", key: ["id"], where, leaseMs: LEASE_MS, limit: 1 };
      const request = { ...about, now: await readNow(sql) };
      return (await leaseDue<LeasedDelivery & { payload: string }>(sql, request))[0];
    });
    if (leased === undefined) return false;
    const payload = readPayload(leased.payload);
    if (payload === null) {
      await database.write((sql) => endUnreadable(sql, leased.id));
      return true;
    }
    const delivery = { ...leased, payload };
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
    const result = await deliver(channelId, delivery, signal).catch((error: unknown) => {
      logFailure(`The message ${leased.id} failed`)(error);
      return { kind: "retry" as const, said: "Something went wrong on the server. See its log." };
    });
    DELIVERY_ATTEMPTS.add({ outcome: result?.kind ?? "cancelled" });
    const note = () =>
      database.write(async (sql) => settle(sql, delivery, result, await readNow(sql)));
    const waitMs = await finishLeased(note, endsAt, stopped.signal);
    if (waitMs < pollMs) setTimeout(wake, waitMs).unref();
    return true;
  }

  async function finish() {
    const timer = setTimeout(() => stopped.abort(), STOP_TIMEOUT_MS);
    await Promise.all(open.values());
    clearTimeout(timer);
  }

  const wake = loop.add({ name: "Sending messages", pauseMs: pollMs, round, finish });
  return wake;
}

interface LeasedDelivery extends StoredDelivery {
  channel_id: string;
  attempts: number;
  leased_until: Instant;
}

/** Records how an attempt ended, if its lease holds. Returns the milliseconds until the next one. */
async function settle(
  sql: SQL,
  leased: LeasedDelivery,
  result: Awaited<ReturnType<Deliver>>,
  now: Date,
): Promise<number> {
  const gone = { kind: "cancelled", said: "There is nothing left to report." } as const;
  const { kind, said } = result ?? gone;
  const at = now.toISOString();
  const isSent = kind === "sent";
  const pause = kind === "retry" ? RETRY_MS[leased.attempts] : undefined;
  const spread = (pause ?? 0) * (0.8 + 0.4 * Math.random());
  const waitMs = Math.max(spread, result?.afterMs ?? 0);
  const waits = kind === "paused" || pause !== undefined;
  const row = {
    state: waits ? "pending" : kind === "retry" ? "dead" : kind,
    attempts: leased.attempts + (kind === "paused" || kind === "cancelled" ? 0 : 1),
    due_at: waits ? new Date(now.getTime() + waitMs).toISOString() : null,
    leased_until: null,
    last_error: isSent ? null : said,
    sent_at: isSent ? at : null,
    ...(result?.subject !== undefined && {
      payload: JSON.stringify({ ...leased.payload, subject: result.subject }),
    }),
  };
  const marked = await sql<{ id: string }[]>`
    update deliveries set ${sql(row)} where id = ${leased.id} and state = 'pending'
      ${isSent ? sql`` : sql`and leased_until = ${leased.leased_until}`} returning id`;
  if (marked.length === 0 || kind === "cancelled") return Infinity;
  const channel = {
    state: kind === "paused" ? "paused" : row.state === "dead" ? "broken" : "working",
    last_error: row.last_error,
    ...(isSent && { last_sent_at: at }),
  };
  await sql`update channels set ${sql(channel)}
    where id = ${leased.channel_id} and state = 'working'`;
  return pause === undefined ? Infinity : waitMs;
}
