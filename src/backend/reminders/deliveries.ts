import type { SQL } from "bun";
import * as p from "../../shared/parse.ts";
import {
  type Delivery,
  DELIVERY_STATES,
  parseDeliveries,
  parseDelivery,
} from "../../shared/reminders.ts";
import { pageOf, parsePageSize } from "../http/paging.ts";
import { parseId, queryOf } from "../http/read-input.ts";
import { gone, RequestError } from "../http/request-error.ts";
import { route, type Route } from "../http/route.ts";
import { readChannels, type StoredChannel } from "./channel-store.ts";
import { countTold } from "./daily-run.ts";
import {
  EMPTY_PAYLOAD,
  limitNames,
  type MessageType,
  type Payload,
  type PayloadName,
  readPayload,
} from "./payload.ts";
import { readToday } from "./reminder-settings.ts";

const UNREADABLE = "The stored message can’t be read.";

/** How long an attempt to send may take: less than its lease. */
export const ATTEMPT_TIMEOUT_MS = 45_000;

export interface StoredDelivery {
  id: string;
  type: MessageType;
  payload: Payload;
}

/** Adds a message in the transaction of what it tells, unless one has had this key. */
export async function addDelivery(
  sql: SQL,
  delivery: Omit<StoredDelivery, "id"> & { channelId: string; key: string; at: Date },
): Promise<void> {
  const { channelId, key, type, payload, at } = delivery;
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

const parseQuery = queryOf({
  state: p.optional(p.oneOf(DELIVERY_STATES)),
  limit: p.optional(parsePageSize),
  after: p.optional(parseId),
});

/** @param wake Sends what has become due. */
export function createDeliveryRoutes(wake: () => void): Route[] {
  return [
    route("GET /api/deliveries", "owner", {
      summary: "List messages that were sent, are waiting or have failed",
      query: parseQuery,
      answer: parseDeliveries,
      async handle({ database, readNow, query: { limit = 50, ...query } }) {
        const found = await database.read(async (sql) =>
          listDeliveries(sql, await readNow(sql), { ...query, limit: limit + 1 }),
        );
        const { page, next } = pageOf(found, limit, ({ id }) => id);
        return { items: page, next };
      },
    }),
    route("POST /api/deliveries/:id/retry", "owner", {
      summary: "Send a message again and resume its channel",
      answer: parseDelivery,
      problems: [409],
      async handle({ database, readNow, params: { id } }) {
        const delivery = await database.write(async (sql) => {
          const now = await readNow(sql);
          const { state, channelId } = await findDelivery(sql, id, now);
          if (state !== "dead" && state !== "pending") {
            throw new RequestError(409, `Expected a message that failed; this one is ${state}.`);
          }
          const row = { state: "pending", due_at: now.toISOString(), attempts: 0 };
          await sql`update deliveries set ${sql(row)} where id = ${id}`;
          const [channel] = await readChannels(sql, channelId);
          if (channel && channel.state !== "working") await resumeChannel(sql, channel, now, id);
          return findDelivery(sql, id, now);
        });
        wake();
        return delivery;
      },
    }),
  ];
}

async function findDelivery(sql: SQL, id: string, now: Date): Promise<Delivery> {
  const [found] = await listDeliveries(sql, now, { id, limit: 1 });
  if (found === undefined) throw gone("message");
  return found;
}

/** Gives up a message whose payload cannot be read, so that those after it go on. */
export async function endUnreadable(sql: SQL, id: string): Promise<void> {
  const row = { state: "dead", due_at: null, leased_until: null, last_error: UNREADABLE };
  await sql`update deliveries set ${sql(row)} where id = ${id}`;
}

/** Lets a channel work again. What waited becomes one message, `retried` or the last, due at once. */
export async function resumeChannel(
  sql: SQL,
  channel: StoredChannel,
  now: Date,
  retried?: string,
): Promise<void> {
  const { id } = channel;
  const at = now.toISOString();
  await sql`update channels set ${sql({ state: "working", last_error: null })} where id = ${id}`;
  // With another lease, a failure that is under way says nothing of what was corrected.
  const endsAt = new Date(now.getTime() + ATTEMPT_TIMEOUT_MS).toISOString();
  await sql`update deliveries set leased_until = ${endsAt}
    where channel_id = ${id} and leased_until > ${at}`;
  const stored = await sql<(Omit<StoredDelivery, "payload"> & { payload: string })[]>`
    update deliveries set state = 'cancelled', last_error = 'Merged into one message.', due_at = null
    where channel_id = ${id} and state = 'pending' and (leased_until is null or leased_until <= ${at})
    returning id, type, payload`;
  const waiting: StoredDelivery[] = [];
  for (const row of stored) {
    const payload = readPayload(row.payload);
    if (payload === null) await endUnreadable(sql, row.id);
    else waiting.push({ ...row, payload });
  }
  // A digest sorts before what is due: the last type is that of both.
  const ordered = waiting.toSorted((one, other) =>
    one.type + one.id < other.type + other.id ? -1 : 1,
  );
  const merged = Map.groupBy(ordered, ({ type }) => type.replace(/^reminder\..*/, "reminder"));
  for (const messages of merged.values()) {
    const last = messages.at(-1);
    if (last === undefined) continue;
    const kept = messages.find((each) => each.id === retried) ?? last;
    const payload = await mergeMessages(sql, channel, messages, now);
    const about = { type: last.type, payload: JSON.stringify(payload) };
    const row = { ...about, state: "pending", due_at: at, attempts: 0, last_error: null };
    await sql`update deliveries set ${sql(row)} where id = ${kept.id}`;
  }
}

/** Merges messages of one kind; of what they say of a domain, the last counts. */
async function mergeMessages(
  sql: SQL,
  channel: StoredChannel,
  messages: readonly StoredDelivery[],
  now: Date,
): Promise<Payload> {
  const payloads = messages.map(({ payload }) => payload);
  const [only] = payloads;
  if (only !== undefined && payloads.length === 1) return only;
  const keyOf = ({ domainId, finding }: PayloadName) => `${domainId} ${finding ?? ""}`;
  const byKey = payloads.flatMap((each) => each.names.map((name) => [keyOf(name), name] as const));
  const { names, more } = limitNames([...new Map(byKey).values()].toSorted(byUrgency));
  const runs = payloads.flatMap((each) => each.runs);
  const today = await readToday(sql, now);
  const lastOf = <K extends keyof Payload>(key: K) =>
    payloads.map((each) => each[key]).findLast((value) => value !== null) ?? null;
  const changedBy = [...new Set(payloads.flatMap((each) => each.changedBy ?? []))].join(", ");
  const notices = payloads.flatMap(({ notice }) => notice ?? []);
  const notice = notices.at(-1);
  return {
    // Of `longExpired`, `more` has those that their runs have told.
    ...EMPTY_PAYLOAD,
    names,
    // A domain that one run counted may be named by another, or have crossed more since.
    more: messages[0]?.type.startsWith("reminder.")
      ? [
          ...(await countTold(sql, channel, runs, { today, listed: names })),
          ...more.filter(({ reason }) => reason === "digest"),
        ]
      : [...more, ...payloads.flatMap((each) => each.more)],
    runs,
    renewed: payloads.flatMap(({ renewed }) => renewed),
    moreRenewed: payloads.reduce((sum, { moreRenewed }) => sum + moreRenewed, 0),
    unknown: lastOf("unknown"),
    overdue: lastOf("overdue"),
    late: lastOf("late"),
    changedBy: changedBy || null,
    notice: notice ? { ...notice, text: notices.map(({ text }) => text).join(" ") } : null,
  };
}

/** Domains that are only in digests come last. */
function byUrgency(one: PayloadName, other: PayloadName): number {
  const rank = ({ reason, expiresOn }: PayloadName) =>
    `${Number(reason === "digest")} ${expiresOn ?? ""}`;
  return rank(one).localeCompare(rank(other));
}

/** The newest first. `leased` is derived: a lease expires without a write. */
async function listDeliveries(
  sql: SQL,
  now: Date,
  { id, state, after, limit }: Partial<Delivery> & { after?: string; limit: number },
): Promise<Delivery[]> {
  const shown = sql`case when state = 'pending' and leased_until > ${now.toISOString()}
    then 'leased' else state end`;
  const rows = await sql<(Omit<Delivery, "subject" | "domains"> & { payload: string })[]>`
    select id, payload, channel_id as "channelId", type, ${shown} as state, attempts,
      created_at as "createdAt", sent_at as "sentAt", due_at as "nextAt", last_error as "lastError"
    from deliveries where true ${id === undefined ? sql`` : sql`and id = ${id}`}
      ${state === undefined ? sql`` : sql`and ${shown} = ${state}`}
      ${after === undefined ? sql`` : sql`and id < ${after}`}
    order by id desc limit ${limit}`;
  return rows.map(({ payload, ...delivery }) => {
    const { names = [], more = [], subject = null } = readPayload(payload) ?? {};
    const domains = more.reduce((sum, each) => sum + each.names, names.length);
    return Object.assign(delivery, { subject, domains });
  });
}
