import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import { exactObject, oneOf, optional, text } from "../../shared/parse.ts";
import { type Delivery, DELIVERY_STATES } from "../../shared/reminders.ts";
import type { Database } from "../database/database.ts";
import { parsePageSize, parseParameters } from "../http/read-input.ts";
import { RequestError } from "../http/request-error.ts";
import { json } from "../http/responses.ts";
import type { RequestContext, Route } from "../http/router.ts";
import { leaseDue } from "../jobs/lease.ts";
import { startWorker, type Worker } from "../jobs/worker.ts";
import { readChannels, type StoredChannel } from "./channel-store.ts";
import type { Message, MessageType, SendResult } from "./message.ts";
import { MAX_PAYLOAD_NAMES, type Payload, type PayloadName } from "./payload.ts";

/** What a message is about, before it is written. */
export interface StoredDelivery {
  id: string;
  type: MessageType;
  payload: Payload;
}

/** How a delivery becomes a message, and how that leaves. */
export interface Courier {
  /** What the delivery says now; null: nothing any more. */
  render(
    sql: SQL,
    delivery: StoredDelivery,
    channel: StoredChannel,
    now: Date,
  ): Promise<Message | null>;
  send(
    channel: StoredChannel,
    message: Message,
    context: { now: Date; signal: AbortSignal },
  ): Promise<SendResult>;
}

const DELIVERIES = { table: "deliveries", key: ["id"] } as const;

const LEASE_MS = 60_000;
/** Of one attempt; less than its lease. */
const ATTEMPT_TIMEOUT_MS = 45_000;
/** When the server stops; a mail that is being accepted should not come twice. */
const STOP_TIMEOUT_MS = 3_000;

const HOUR_MS = 3_600_000;
/** Pauses after the first failure, the second, …, each ± 20 %. One failure more is the last. */
const RETRY_MS: readonly number[] = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/**
 * Adds a message, in the transaction of what it tells; nothing where there was one with this key.
 *
 * @param at When it is due.
 */
export async function addDelivery(
  sql: SQL,
  {
    channelId,
    key,
    type,
    payload,
    at,
  }: Omit<StoredDelivery, "id"> & { channelId: string; key: string; at: Date },
): Promise<void> {
  const row = {
    id: Bun.randomUUIDv7(),
    channel_id: channelId,
    delivery_key: key,
    type,
    payload: JSON.stringify(payload),
    state: "pending",
    priority: type.startsWith("finding.") ? 1 : 0,
    due_at: at.toISOString(),
    attempts: 0,
    created_at: at.toISOString(),
  };
  await sql`insert into deliveries ${sql(row)} on conflict (delivery_key) do nothing`;
}

/**
 * Sends what is due: leases it, sends it outside any transaction, marks it. Each channel has its own
 * turn, so that one that hangs delays no other.
 *
 * @param clock Of tests; else leases go by the database's time.
 * @param pollMs Milliseconds between two looks for what is due.
 */
export function createOutbox(
  database: Database,
  courier: Courier,
  { clock, pollMs }: { clock: (() => Date) | undefined; pollMs: number },
): { routes: Route[] } & Worker {
  const readNow = clock === undefined ? readDatabaseTime : async () => clock();
  const stopped = new AbortController();
  /** Channels that are being sent to. */
  const open = new Map<string, Promise<void>>();

  async function round(signal: AbortSignal): Promise<boolean> {
    const due = await database.read(async (sql) => listDueChannels(sql, await readNow(sql)));
    for (const id of due.filter((each) => !open.has(each))) {
      const drained = drain(id, signal)
        .catch((error: unknown) => console.error("Sending messages failed:", error))
        .finally(() => open.delete(id));
      open.set(id, drained);
    }
    return false;
  }

  async function drain(channelId: string, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const leased = await database.write(async (sql) =>
        leaseOne(sql, channelId, await readNow(sql)),
      );
      if (leased === undefined) return;
      const attempted = await attempt(leased).catch((error: unknown): Attempted => {
        console.error(`The message ${leased.id} failed:`, error);
        return { kind: "retry", said: "It could not be made. The log of the server says why." };
      });
      const waitMs = await database.write(async (sql) =>
        settle(sql, leased, attempted, await readNow(sql)),
      );
      if (waitMs < pollMs) setTimeout(() => worker.wake(), waitMs).unref();
    }
  }

  async function attempt(leased: LeasedDelivery): Promise<Attempted> {
    const ready = await database.read(async (sql) => {
      const now = await readNow(sql);
      const [channel] = await readChannels(sql, leased.channel_id);
      if (channel === undefined) return null;
      const delivery = { ...leased, payload: JSON.parse(leased.payload) };
      const message = await courier.render(sql, delivery, channel, now);
      return message && { channel, message, now };
    });
    if (ready === null) return { kind: "cancelled", said: "Nothing is left to tell." };
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
    return courier.send(ready.channel, ready.message, { now: ready.now, signal });
  }

  const worker = startWorker("Sending messages", pollMs, round, async () => {
    const timer = setTimeout(() => stopped.abort(), STOP_TIMEOUT_MS);
    await Promise.all(open.values());
    clearTimeout(timer);
  });

  async function showDeliveries({ url }: RequestContext): Promise<Response> {
    const { limit = 50, ...query } = parseParameters(url.searchParams, parseQuery);
    const found = await database.read(async (sql) =>
      listDeliveries(sql, await readNow(sql), { ...query, limit: limit + 1 }),
    );
    const items = found.slice(0, limit);
    return json({ items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null });
  }

  /** `POST /api/deliveries/:id/retry`: resumes its channel too. 409 for what is sent or cancelled. */
  async function retry(_context: RequestContext, id: string): Promise<Response> {
    const [delivery] = await database.write(async (sql) => {
      const now = await readNow(sql);
      const [found] = await listDeliveries(sql, now, { id, limit: 1 });
      if (found === undefined) throw new RequestError(404, "This message no longer exists.");
      if (found.state !== "dead" && found.state !== "pending") {
        throw new RequestError(409, `Expected a message that failed; this one is ${found.state}.`);
      }
      const row = { state: "pending", due_at: now.toISOString(), attempts: 0 };
      await sql`update deliveries set ${sql(row)} where id = ${id}`;
      const [channel] = await readChannels(sql, found.channelId);
      if (channel?.state !== "working") await resumeChannel(sql, found.channelId, now);
      return listDeliveries(sql, now, { id, limit: 1 });
    });
    worker.wake();
    return json(delivery);
  }

  return {
    routes: [
      { path: "/api/deliveries", methods: { GET: showDeliveries } },
      { path: "/api/deliveries/:id/retry", methods: { POST: retry } },
    ],
    wake: worker.wake,
    stop: worker.stop,
  };
}

/** Postgres's time, as the clocks of its instances differ; SQLite's is this machine's. */
async function readDatabaseTime(sql: SQL): Promise<Date> {
  if (sql.options.adapter !== "postgres") return new Date();
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  return row?.now ?? new Date();
}

async function listDueChannels(sql: SQL, now: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct channel_id as id from deliveries where due_at <= ${now.toISOString()}
      and channel_id in (select id from channels where state = 'working')`;
  return rows.map(({ id }) => id);
}

interface LeasedDelivery extends Omit<StoredDelivery, "payload"> {
  channel_id: string;
  payload: string;
  attempts: number;
  leased_until: Instant;
}

async function leaseOne(sql: SQL, channel: string, now: Date): Promise<LeasedDelivery | undefined> {
  const where = sql`channel_id = ${channel}
    and exists (select 1 from channels where id = ${channel} and state = 'working')`;
  const request = { now, leaseMs: LEASE_MS, limit: 1, where };
  const [leased] = await leaseDue<LeasedDelivery>(sql, DELIVERIES, request);
  return leased;
}

type Attempted = SendResult | { kind: "cancelled"; said: string };

/**
 * Writes down how an attempt ended, unless its lease has passed to another; that it was sent, in any
 * case. Returns the milliseconds until the next attempt.
 */
async function settle(
  sql: SQL,
  leased: LeasedDelivery,
  result: Attempted,
  now: Date,
): Promise<number> {
  const { kind, said } = result;
  const at = now.toISOString();
  const isSent = kind === "sent";
  const pause = kind === "retry" ? RETRY_MS[leased.attempts] : undefined;
  const spread = (pause ?? 0) * (0.8 + 0.4 * Math.random());
  const waitMs = Math.max(spread, kind === "retry" ? (result.afterMs ?? 0) : 0);
  const waits = kind === "paused" || pause !== undefined;
  const row = {
    state: waits ? "pending" : kind === "retry" ? "dead" : kind,
    attempts: kind === "paused" ? leased.attempts : leased.attempts + 1,
    due_at: waits ? new Date(now.getTime() + waitMs).toISOString() : null,
    leased_until: null,
    last_error: isSent ? null : said,
    sent_at: isSent ? at : null,
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

/** Lets a channel work again. What waited for it becomes one message, which is due at once. */
export async function resumeChannel(sql: SQL, id: string, now: Date): Promise<void> {
  const at = now.toISOString();
  await sql`update channels set ${sql({ state: "working", last_error: null })} where id = ${id}`;
  const cancelled = await sql<{ id: string; type: MessageType; payload: string }[]>`
    update deliveries set state = 'cancelled', last_error = 'Merged into one message.', due_at = null
    where channel_id = ${id} and state = 'pending' and (leased_until is null or leased_until <= ${at})
    returning id, type, payload`;
  const waiting = cancelled.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const last = waiting.at(-1);
  if (last === undefined) return;
  const type = waiting.find((each) => each.type === "reminder.due")?.type ?? last.type;
  const payload = mergePayloads(waiting.map((each): Payload => JSON.parse(each.payload)));
  const row = { state: "pending", type, payload: JSON.stringify(payload), due_at: at, attempts: 0 };
  await sql`update deliveries set ${sql({ ...row, last_error: null })} where id = ${last.id}`;
}

/** What all of them say, each domain once. */
function mergePayloads(payloads: readonly Payload[]): Payload {
  const keyOf = ({ domainId, finding }: PayloadName) => `${domainId} ${finding ?? ""}`;
  const names = payloads.flatMap((each) => each.names.map((name) => [keyOf(name), name] as const));
  return {
    names: [...new Map(names).values()].slice(0, MAX_PAYLOAD_NAMES),
    more: payloads.flatMap(({ more }) => more),
    renewed: payloads.flatMap(({ renewed }) => renewed),
    unknown: payloads.at(-1)?.unknown ?? null,
    late: payloads.findLast(({ late }) => late !== null)?.late ?? null,
  };
}

const parseQuery = exactObject({
  state: optional(oneOf(DELIVERY_STATES)),
  limit: optional(parsePageSize),
  after: optional(text),
});

/** The newest first. `leased` is derived: a lease ends without anybody writing. */
async function listDeliveries(
  sql: SQL,
  now: Date,
  { id, state, after, limit }: Partial<Delivery> & { after?: string; limit: number },
): Promise<Delivery[]> {
  const shown = sql`case when state = 'pending' and leased_until > ${now.toISOString()}
    then 'leased' else state end`;
  return [
    ...(await sql<Delivery[]>`
      select id, channel_id as "channelId", type, ${shown} as state, attempts,
        created_at as "createdAt", sent_at as "sentAt", due_at as "nextAt", last_error as "lastError"
      from deliveries where true ${id === undefined ? sql`` : sql`and id = ${id}`}
        ${state === undefined ? sql`` : sql`and ${shown} = ${state}`}
        ${after === undefined ? sql`` : sql`and id < ${after}`}
      order by id desc limit ${limit}`),
  ];
}

/** Removes messages that ended 90 days ago. */
export async function sweepDeliveries(sql: SQL): Promise<void> {
  const before = new Date(Date.now() - 90 * 24 * HOUR_MS).toISOString();
  await sql`delete from deliveries where due_at is null and created_at < ${before}`;
}
