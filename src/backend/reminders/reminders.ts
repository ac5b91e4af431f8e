import type { SQL } from "bun";
import type { ReminderNews } from "../../shared/register.ts";
import { parseChannelId } from "../../shared/reminders.ts";
import type { CredentialCipher } from "../outbound/credentials.ts";
import { countRows, type Database, databaseClock } from "../database/database.ts";
import type { DomainReminders } from "../domains/domain-routes.ts";
import { queryOf } from "../http/read-input.ts";
import { route } from "../http/route.ts";
import { endWaits } from "../jobs/lease.ts";
import type { Loop } from "../jobs/loop.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { SENDING } from "./channel-kinds.ts";
import { readChannels, UNREADABLE_CONFIG } from "./channel-store.ts";
import { createChannelRoutes } from "./channels.ts";
import { addDelivery, createDeliveryRoutes } from "./deliveries.ts";
import {
  evaluateReminders,
  noteEvaluation,
  planEvaluation,
  previewMessage,
  sweepReminders,
} from "./evaluate.ts";
import { htmlDocument, mailHtml, markup } from "./mail-body.ts";
import { createMailServer, sendMail } from "./mail.ts";
import { renderMessage, TEST_TIMEOUT_MS, writeTest } from "./message.ts";
import { answerPage, publicLinkRoutes } from "./public-links.ts";
import { createOutbox, type Deliver, DELIVERY_ATTEMPTS } from "./outbox.ts";
import { EMPTY_PAYLOAD } from "./payload.ts";
import {
  createSettingsRoutes,
  readReminders,
  readState,
  readToday,
  shownGap,
} from "./reminder-settings.ts";
import type { Gauge } from "../database/metrics.ts";
import { calendarRoutes } from "./calendars.ts";

const POLL_MS = 15_000;

const parsePreviewQuery = queryOf({ channel: parseChannelId });

const HEARTBEAT_MS = 60_000;
const HEARTBEAT_TIMEOUT_MS = 10_000;

export interface RemindersOptions {
  /** `SMTP_URL`; without it the settings may name a mail server. */
  smtpUrl?: string | null;
  mailFrom?: string | null;
  /** Without it messages have no links. */
  publicUrl?: string | null;
  /** `OUTBOUND_ALLOW`: private networks that webhooks may reach. */
  allow?: readonly string[];
  /** Asked after each evaluation, once a minute at most. */
  heartbeatUrl?: string | null;
  /** For tests: milliseconds between two looks. */
  pollMs?: number;
}

const GAUGES: readonly Gauge[] = [
  [
    "freehold_channels",
    "Channels; messages go only to working ones.",
    (sql) => sql`select kind, state, count(*) as value from channels group by kind, state`,
  ],
  [
    "freehold_deliveries_pending",
    "Messages that are still to be sent.",
    (sql) => sql`select count(*) as value from deliveries where due_at is not null`,
  ],
  [
    "freehold_deliveries_oldest_due_seconds",
    "How long the oldest due message to a working channel has waited; 0 if none is due.",
    (sql, at) => sql`select min(due_at) as since from deliveries where due_at <= ${at}
      and exists (select 1 from channels c where c.id = channel_id and c.state = 'working')`,
  ],
];

interface RemindersContext {
  brand: string;
  cipher: CredentialCipher;
  loop: Loop;
  outbound: Outbound;
  clock: (() => Date) | undefined;
}

/** Looks for what expires and tells people, once the owner has turned reminders on. */
export function createReminders(
  database: Database,
  options: RemindersOptions,
  { brand, cipher, loop, outbound, clock }: RemindersContext,
) {
  const { heartbeatUrl = null, publicUrl = null, pollMs = POLL_MS } = options;
  const sender = { brand, publicUrl };
  const now = clock ?? (() => new Date());
  const readNow = databaseClock(clock);
  const mailServer = createMailServer(database, options, { cipher, outbound, brand });
  const carriers = { outbound, findSmtp: mailServer.find };
  const deliver: Deliver = async (channelId, delivery, signal) => {
    const at = now();
    const ready = await database.read(async (sql) => {
      const [channel] = await readChannels(sql, channelId);
      if (channel === undefined) return null;
      const message = await renderMessage(sql, delivery, channel, { now: at, ...sender });
      return message && { channel, message };
    });
    if (ready === null) return null;
    const { channel, message } = ready;
    if (channel.config === null) return { kind: "paused", said: UNREADABLE_CONFIG };
    const means = { ...carriers, now: at, signal };
    const result = await SENDING[channel.kind].send(channel, message, means);
    return { ...result, subject: message.title };
  };
  const wakeOutbox = createOutbox(database, deliver, { loop, clock, pollMs });

  let beatAt = 0;
  async function beat(signal: AbortSignal): Promise<void> {
    const at = now().getTime();
    if (heartbeatUrl === null || Math.abs(at - beatAt) < HEARTBEAT_MS) return;
    beatAt = at;
    const limits = { timeoutMs: HEARTBEAT_TIMEOUT_MS, maxBytes: 0, signal };
    // The receiver notices that it does not come.
    await outbound.request(new URL(heartbeatUrl), { ...limits, trusted: true }).catch(() => {});
  }

  const wake = loop.add({
    name: "Evaluating reminders",
    pauseMs: pollMs,
    async round(signal) {
      const at = await database.read(readNow);
      const plan = await database.readMany(planEvaluation, { now: at });
      if (plan === "off") return false;
      if (plan === "evaluate") {
        await database.writeMany(evaluateReminders, { now: at });
        wakeOutbox();
      }
      if (plan === "note") await database.write((sql) => noteEvaluation(sql, at));
      await beat(signal);
      return false;
    },
  });

  return {
    gauges: GAUGES,
    counters: [DELIVERY_ATTEMPTS],
    routes: [
      ...createSettingsRoutes(wake),
      // The next message of a channel, as mail brings it: a page of its own, with its own policy.
      route("GET /api/reminders/preview", "owner", {
        summary: "Show the next message of a channel as an e-mail",
        query: parsePreviewQuery,
        answer: "text/html",
        problems: [404],
        async handle({ query }) {
          const input = { channelId: query.channel, now: await database.read(readNow), sender };
          const message = await database.readMany(previewMessage, input);
          if (message !== null) return answerPage(mailHtml(message));
          const text = markup`<p>As things stand, there is nothing to send next time.</p>`;
          return answerPage(htmlDocument("Nothing to send", [text]));
        },
      }),
      ...createChannelRoutes(deliver, { ...carriers, wake: wakeOutbox }),
      ...mailServer.routes,
      ...createDeliveryRoutes(wakeOutbox),
      ...publicLinkRoutes,
      ...calendarRoutes,
    ],
    ofDomains: {
      summarise: async (sql) => readNews(sql, await readNow(sql)),
      readToday: async (sql) => readToday(sql, await readNow(sql)),
    } satisfies DomainReminders,
    /** Tells every channel what is about no domain, in the transaction that records it. */
    async tell(sql: SQL, { key, title, text }: { key: string; title: string; text: string }) {
      const payload = { ...EMPTY_PAYLOAD, notice: { title, text } };
      for (const { id: channelId } of await readChannels(sql)) {
        const about = { channelId, key: `${key}:${channelId}`, payload, at: await readNow(sql) };
        await addDelivery(sql, { ...about, type: "account.notice" });
      }
    },
    /** False: no mail is set up, or the server did not take it. */
    async mailLink(
      to: string,
      mail: { title: string; notes: readonly string[]; link: string },
    ): Promise<boolean> {
      const smtp = await mailServer.find();
      if ("problem" in smtp) return false;
      const message = { ...writeTest(brand, now()), ...mail };
      const signal = AbortSignal.timeout(TEST_TIMEOUT_MS);
      return (await sendMail(smtp, to, message, signal)).kind === "sent";
    },
    sweeps: [
      () => database.writeMany(sweepReminders, null),
      () => endWaits(database, "deliveries", readNow),
    ],
  };
}

async function readNews(sql: SQL, now: Date): Promise<ReminderNews> {
  const { on } = await readReminders(sql);
  const broken = await sql<ReminderNews["broken"]>`
    select id, name, state, last_error as "lastError" from channels where state <> 'working'
    order by name, id`;
  return {
    on,
    channels: await countRows(sql, sql`channels`),
    calendars: await countRows(sql, sql`calendars`),
    broken: [...broken],
    late: on ? shownGap(await readState(sql), now) : null,
  };
}
