import { randomBytes } from "node:crypto";
import { exactObject } from "../../shared/parse.ts";
import {
  type Channel,
  CHANNELS,
  parseChannelChange,
  parseNewChannel,
} from "../../shared/reminders.ts";
import type { Database } from "../database/database.ts";
import { parseParameters, readJson } from "../http/read-input.ts";
import { RequestError } from "../http/request-error.ts";
import { json, noContent } from "../http/responses.ts";
import type { RequestContext, Route } from "../http/router.ts";
import { type Carriers, SENDING } from "./channel-kinds.ts";
import { readChannels, type StoredChannel } from "./channel-store.ts";
import { resumeChannel } from "./deliveries.ts";
import { followChanges } from "./evaluate.ts";
import type { SendResult } from "./message.ts";
import type { Deliver } from "./outbox.ts";
import { EMPTY_PAYLOAD } from "./payload.ts";

/** Channels of one register. */
const MAX_CHANNELS = 100;
/** A person waits for the answer to a test, and browsers for 10 s at most. */
const TEST_TIMEOUT_MS = 7_500;

interface ChannelOptions extends Carriers {
  clock: () => Date;
  /** Sends what has become due. */
  wake: () => void;
}

/** Where messages go: `/api/channels`. */
export function createChannelRoutes(
  database: Database,
  deliver: Deliver,
  options: ChannelOptions,
): Route[] {
  const { clock, wake } = options;

  async function showChannels({ url }: RequestContext): Promise<Response> {
    parseParameters(url.searchParams, exactObject({}));
    const channels = await database.read((sql) => readChannels(sql));
    return json({ items: channels.map((channel) => publish(channel)) });
  }

  /** `POST /api/channels`: 400 for a target that may not be connected to. */
  async function addChannel(context: RequestContext): Promise<Response> {
    const input = await readJson(context, parseNewChannel);
    const secret = CHANNELS[input.kind].isSigned ? createSecret() : null;
    const row = {
      id: Bun.randomUUIDv7(),
      state: "working",
      filter: "",
      rhythm: "daily",
      ...input,
      changes: Number(input.changes ?? false),
      target: await SENDING[input.kind].checkTarget(input.target, options),
      config: JSON.stringify({ secret }),
      created_at: clock().toISOString(),
    };
    const added = await database.write(async (sql) => {
      if ((await readChannels(sql)).length >= MAX_CHANNELS) {
        const detail = `There are ${MAX_CHANNELS} channels already. Delete one first.`;
        throw new RequestError(409, detail);
      }
      await sql`insert into channels ${sql(row)}`;
      await followChanges(sql);
      return findChannel(await readChannels(sql, row.id));
    });
    return json(publish(added, secret), 201);
  }

  /** `PATCH /api/channels/:id`: a new target resumes the channel, as `state: "working"` does. */
  async function changeChannel(context: RequestContext, id: string): Promise<Response> {
    const input = await readJson(context, parseChannelChange);
    const { state, rotateSecret, changes, ...change } = input;
    const { kind } = findChannel(await database.read((sql) => readChannels(sql, id)));
    if (change.target !== undefined) {
      change.target = await SENDING[kind].checkTarget(change.target, options);
    }
    if (rotateSecret === true && !CHANNELS[kind].isSigned) {
      throw new RequestError(409, "Only webhooks are signed.");
    }
    const secret = rotateSecret === true ? createSecret() : null;
    const changed = await database.write(async (sql) => {
      const now = clock();
      const before = findChannel(await readChannels(sql, id));
      const isMoved = (change.target ?? before.target) !== before.target;
      const rotated = {
        secret,
        previousSecret: before.config.secret,
        rotatedAt: now.toISOString(),
      };
      const row = {
        ...change,
        config: JSON.stringify(secret === null ? before.config : rotated),
        changes: Number(changes ?? before.changes),
        ...(state === "paused" && { state, last_error: `Paused by ${context.user.email}.` }),
      };
      await sql`update channels set ${sql(row)} where id = ${id}`;
      await followChanges(sql);
      if (state === "working" || (state === undefined && isMoved)) {
        await resumeChannel(sql, findChannel(await readChannels(sql, id)), now);
      }
      return findChannel(await readChannels(sql, id));
    });
    wake();
    return json(publish(changed, secret));
  }

  /** The messages of a channel go with it; what has reached nobody is told to the next channel. */
  async function removeChannel(_context: RequestContext, id: string): Promise<Response> {
    await database.write(async (sql) => {
      const { lastSentAt } = findChannel(await readChannels(sql, id));
      await sql`delete from channels where id = ${id}`;
      await sql`update reminders set told_at = null, told_weekly_at = null
        where told_at > ${lastSentAt ?? ""} and not exists (select 1 from channels)`;
    });
    return noContent();
  }

  /** `POST /api/channels/:id/test`: sends a message now and says what the other side answered. */
  async function testChannel(_context: RequestContext, id: string): Promise<Response> {
    const test = { type: "channel.test", payload: EMPTY_PAYLOAD } as const;
    const late: SendResult = { kind: "retry", said: "No answer in time" };
    const result = await Promise.race([
      deliver(id, { id: Bun.randomUUIDv7(), ...test }, AbortSignal.timeout(TEST_TIMEOUT_MS)),
      Bun.sleep(TEST_TIMEOUT_MS + 500).then(() => late),
    ]);
    if (result === null) throw missingChannel();
    return json({ ok: result.kind === "sent", said: result.said });
  }

  return [
    { path: "/api/channels", methods: { GET: showChannels, POST: addChannel } },
    { path: "/api/channels/:id", methods: { PATCH: changeChannel, DELETE: removeChannel } },
    { path: "/api/channels/:id/test", methods: { POST: testChannel } },
  ];
}

/** A secret of Standard Webhooks. */
function createSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** A channel without its secrets, but for a new one, which is shown once. */
function publish(stored: StoredChannel, created: string | null = null): Channel {
  const { config, ...channel } = stored;
  const hasSecret = config.secret !== null;
  return { ...channel, hasSecret, ...(created !== null && { secret: created }) };
}

function findChannel([channel]: readonly StoredChannel[]): StoredChannel {
  if (channel === undefined) throw missingChannel();
  return channel;
}

function missingChannel(): RequestError {
  return new RequestError(404, "This channel no longer exists.");
}
