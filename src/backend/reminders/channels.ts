import { randomBytes } from "node:crypto";
import { exactObject } from "../../shared/parse.ts";
import {
  type Channel,
  type ChannelKind,
  parseChannelChange,
  parseNewChannel,
} from "../../shared/reminders.ts";
import type { Database } from "../database/database.ts";
import { parseParameters, readJson } from "../http/read-input.ts";
import { badFields, RequestError } from "../http/request-error.ts";
import { json, noContent } from "../http/responses.ts";
import type { RequestContext, Route } from "../http/router.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { readChannels, type StoredChannel } from "./channel-store.ts";
import { resumeChannel } from "./deliveries.ts";
import { followChanges } from "./evaluate.ts";
import { NO_MAIL_SERVER } from "./mail.ts";
import type { SendResult } from "./message.ts";
import type { Deliver } from "./outbox.ts";
import { EMPTY_PAYLOAD } from "./payload.ts";
import { ALLOW_HINT } from "./webhook.ts";

/** Channels of one register. */
const MAX_CHANNELS = 100;
const LOOKUP_TIMEOUT_MS = 5_000;
/** A person waits for the answer to a test, and browsers for 10 s at most. */
const TEST_TIMEOUT_MS = 7_500;

interface ChannelOptions {
  outbound: Outbound;
  /** Whether a mail server is configured. */
  canMail: boolean;
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
    const secret = input.kind === "webhook" ? createSecret() : null;
    const row = {
      id: Bun.randomUUIDv7(),
      state: "working",
      filter: "",
      rhythm: "daily",
      ...input,
      changes: Number(input.changes ?? false),
      target: await checkTarget(options, input.kind, input.target),
      secret,
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
      change.target = await checkTarget(options, kind, change.target);
    }
    if (rotateSecret === true && kind !== "webhook") {
      throw new RequestError(409, "Only webhooks are signed.");
    }
    const secret = rotateSecret === true ? createSecret() : null;
    const changed = await database.write(async (sql) => {
      const now = clock();
      const before = findChannel(await readChannels(sql, id));
      const isMoved = (change.target ?? before.target) !== before.target;
      const row = {
        ...change,
        changes: Number(changes ?? before.changes),
        ...(state === "paused" && { state, last_error: `Paused by ${context.user.email}.` }),
      };
      await sql`update channels set ${sql(row)} where id = ${id}`;
      await followChanges(sql);
      if (secret !== null) {
        await sql`update channels set previous_secret = secret, secret = ${secret},
          rotated_at = ${now.toISOString()} where id = ${id}`;
      }
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
  const { secret, previousSecret: _previous, rotatedAt: _rotated, ...channel } = stored;
  return { ...channel, hasSecret: secret !== null, ...(created !== null && { secret: created }) };
}

function findChannel([channel]: readonly StoredChannel[]): StoredChannel {
  if (channel === undefined) throw missingChannel();
  return channel;
}

function missingChannel(): RequestError {
  return new RequestError(404, "This channel no longer exists.");
}

const MAIL_ADDRESS = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/;
const NTFY_PATH = /\/[\w-]{1,64}$/;

/** Returns a target as it is stored. @throws {RequestError} 400 for what cannot be one. */
async function checkTarget(
  { outbound, canMail }: ChannelOptions,
  kind: ChannelKind,
  given: string,
): Promise<string> {
  const refuseTarget = (detail: string) =>
    badFields([{ pointer: "/target", code: "value", detail }]);
  if (kind === "mail") {
    if (!canMail) throw refuseTarget(NO_MAIL_SERVER);
    if (MAIL_ADDRESS.test(given) && given.length <= 254) return given;
    throw refuseTarget("Expected one e-mail address, such as ada@example.com.");
  }
  const url = URL.parse(kind === "ntfy" && !given.includes("://") ? `https://${given}` : given);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw refuseTarget("Expected an address that begins with https:// or http://.");
  }
  if (kind === "ntfy" && !NTFY_PATH.test(url.pathname)) {
    throw refuseTarget("Expected a host and a topic, such as ntfy.sh/my-topic.");
  }
  const signal = AbortSignal.timeout(LOOKUP_TIMEOUT_MS);
  const { addresses, refused, outcome } = await outbound.locate(url.hostname, signal);
  if (addresses.length > 0) return url.href;
  if (refused.length > 0) {
    throw refuseTarget(`${refused[0]} is not a public address. ${ALLOW_HINT}`);
  }
  if (outcome !== "nxdomain" && outcome !== "nodata") return url.href; // Sending will tell.
  throw refuseTarget(`${url.hostname} has no address.`);
}
