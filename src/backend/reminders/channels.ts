import { randomBytes } from "node:crypto";
import type { SQL } from "bun";
import type { NamedPerson } from "../../shared/domain.ts";
import {
  type Channel,
  CHANNELS,
  parseChannel,
  parseChannelChange,
  parseChannels,
  parseNewChannel,
  parseTested,
} from "../../shared/reminders.ts";
import { countRows } from "../database/database.ts";
import { recordRequest } from "../audit/audit.ts";
import { NO_PARAMETERS } from "../http/read-input.ts";
import { gone, RequestError } from "../http/request-error.ts";
import { route } from "../http/route.ts";
import { refuseUnknownPerson } from "../domains/people.ts";
import { filterOf } from "./calendars.ts";
import { type Carriers, SENDING } from "./channel-kinds.ts";
import { findChannel, readChannels, type StoredChannel } from "./channel-store.ts";
import { resumeChannel } from "./deliveries.ts";
import { followChanges } from "./evaluate.ts";
import { type SendResult, TEST_TIMEOUT_MS } from "./message.ts";
import type { Deliver } from "./outbox.ts";
import { EMPTY_PAYLOAD } from "./payload.ts";

const MAX_CHANNELS = 100;

/** @param options `wake` sends what has become due. */
export function createChannelRoutes(deliver: Deliver, options: Carriers & { wake: () => void }) {
  return [
    route("GET /api/channels", "owner", {
      summary: "List the channels that reminders are sent to",
      query: NO_PARAMETERS,
      answer: parseChannels,
      async handle({ database }) {
        const channels = await database.read((sql) => readChannels(sql));
        return { items: channels.map((channel) => publish(channel)) };
      },
    }),
    route("POST /api/channels", "owner", {
      summary: "Add a channel",
      body: parseNewChannel,
      answer: parseChannel,
      statuses: [201],
      problems: [409],
      async handle(context) {
        const { database, body, now } = context;
        const { person = null, changes = false, ...given } = body;
        const target = await SENDING[body.kind].checkTarget(body.target, options);
        const secret = CHANNELS[body.kind].isSigned ? createSecret() : null;
        return database.write(async (sql) => {
          await recordRequest(sql, context, "channel-added", { subject: body.name });
          if ((await countRows(sql, sql`channels`)) >= MAX_CHANNELS) {
            const detail = `There are ${MAX_CHANNELS} channels already. Delete one first.`;
            throw new RequestError(409, detail);
          }
          await refuseUnknownPerson(sql, person);
          const row = {
            id: Bun.randomUUIDv7(),
            state: "working",
            rhythm: "daily",
            ...given,
            target,
            filter: filterOf(body.filter ?? "", context),
            person_id: person,
            changes: Number(changes),
            config: JSON.stringify({ secret }),
            created_at: now.toISOString(),
          };
          await sql`insert into channels ${sql(row)}`;
          await followChanges(sql);
          return publish(await findChannel(sql, row.id), secret);
        });
      },
    }),
    route("PATCH /api/channels/:id", "owner", {
      summary: "Change a channel; a new target resumes it, as `state: working` does",
      body: parseChannelChange,
      answer: parseChannel,
      problems: [409],
      async handle(context) {
        const { database, body, user, readNow } = context;
        const { id } = context.params;
        const { state, rotateSecret, changes, person, ...change } = body;
        const { kind, name } = await database.read((sql) => findChannel(sql, id));
        const { isSigned } = CHANNELS[kind];
        if (change.filter !== undefined) change.filter = filterOf(change.filter, context);
        if (change.target !== undefined) {
          change.target = await SENDING[kind].checkTarget(change.target, options);
        }
        if (rotateSecret === true && !isSigned) {
          throw new RequestError(409, "Only webhooks are signed.");
        }
        const changed = await database.write(async (sql) => {
          await recordRequest(sql, context, "channel-changed", { subject: name });
          const now = await readNow(sql);
          const before = await findChannel(sql, id);
          await refuseUnknownPerson(sql, person);
          const isMoved = (change.target ?? before.target) !== before.target;
          const isUnreadable = before.config === null;
          const secret =
            rotateSecret === true || (isUnreadable && isSigned) ? createSecret() : null;
          const previousSecret = before.config?.secret ?? null;
          const rotated = { secret, previousSecret, rotatedAt: now.toISOString() };
          const row = {
            ...change,
            ...(person !== undefined && { person_id: person }),
            config: JSON.stringify(secret === null ? (before.config ?? {}) : rotated),
            changes: Number(changes ?? before.changes),
            ...(state === "paused" && { state, last_error: `Paused by ${user.name}.` }),
          };
          await sql`update channels set ${sql(row)} where id = ${id}`;
          await followChanges(sql);
          if (state === "working" || (state === undefined && (isMoved || isUnreadable))) {
            await resumeChannel(sql, await findChannel(sql, id), now);
          }
          return publish(await findChannel(sql, id), secret);
        });
        options.wake();
        return changed;
      },
    }),
    // What has not reached anyone is told to the next channel.
    route("DELETE /api/channels/:id", "owner", {
      summary: "Delete a channel and its messages",
      answer: null,
      handle: (context) =>
        context.database.write(async (sql) => {
          const { id } = context.params;
          const { lastSentAt, name } = await findChannel(sql, id);
          await recordRequest(sql, context, "channel-deleted", { subject: name });
          await sql`delete from channels where id = ${id}`;
          await sql`update reminders set told_at = null, told_weekly_at = null
            where told_at > ${lastSentAt ?? ""}
              and not exists (select 1 from channels where created_at < told_at)`;
        }),
    }),
    route("POST /api/channels/:id/test", "owner", {
      summary: "Send a message now and say what the other side answered",
      answer: parseTested,
      async handle({ params: { id } }) {
        const test = { type: "channel.test", payload: EMPTY_PAYLOAD } as const;
        const late: SendResult = { kind: "retry", said: "No answer in time" };
        const result = await Promise.race([
          deliver(id, { id: Bun.randomUUIDv7(), ...test }, AbortSignal.timeout(TEST_TIMEOUT_MS)),
          Bun.sleep(TEST_TIMEOUT_MS + 500).then(() => late),
        ]);
        if (result === null) throw gone("channel");
        return { ok: result.kind === "sent", said: result.said };
      },
    }),
  ];
}

/** Pauses the channels that follow a person who may not sign in any more, until an owner resumes them. */
export async function pauseFollowers(
  sql: SQL,
  { id, name }: NamedPerson,
  was: "deleted" | "disabled",
): Promise<void> {
  const lastError = `It followed ${name}, whose account was ${was}. Choose another person and resume it.`;
  await sql`update channels set state = 'paused', last_error = ${lastError}
    where person_id = ${id} or filter like ${`%person=${id}%`}`;
}

function createSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** A channel without its secrets, but for a new one, which is shown once. */
function publish(stored: StoredChannel, created: string | null = null): Channel {
  const { config, ...channel } = stored;
  const hasSecret = typeof config?.secret === "string";
  return { ...channel, hasSecret, ...(created !== null && { secret: created }) };
}
