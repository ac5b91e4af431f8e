import { parseDay } from "./day.ts";
import * as p from "./parse.ts";
import { parseLate, VIEW_LIMITS } from "./register.ts";
import { EMAIL_ADDRESS, limitedText, parseLabel, requiredLabel, UUID } from "./text.ts";
import { parseQuery } from "./view.ts";

export type ChannelKind = "mail" | "webhook" | "slack" | "discord" | "teams" | "ntfy";

interface ChannelWords {
  label: string;
  target: string;
  hint?: string;
  /** Behind “Add”, where that is not the name. */
  added?: string;
  /** The target is a person's own address: no secret, and they may stop the messages. */
  isPersonal?: true;
  /** Messages are signed, with a secret that the channel's owner is shown once. */
  isSigned?: true;
}

/** Every kind of channel. How it sends is in `backend/reminders/channel-kinds.ts`. */
export const CHANNELS: Readonly<Record<ChannelKind, ChannelWords>> = {
  mail: { label: "E-mail", added: "an e-mail address", target: "E-mail address", isPersonal: true },
  webhook: {
    label: "Webhook",
    added: "a webhook",
    target: "URL",
    hint: "Posts signed JSON (Standard Webhooks).",
    isSigned: true,
  },
  slack: { label: "Slack", target: "Webhook URL", hint: "“Incoming Webhooks”, or Mattermost" },
  discord: { label: "Discord", target: "Webhook URL", hint: "“Edit channel”, then “Integrations”" },
  teams: { label: "Teams", target: "Workflow URL", hint: "“Send webhook alerts to a channel”" },
  ntfy: { label: "ntfy", target: "Server and topic", hint: "Such as ntfy.sh/hard-to-guess-topic" },
};

const parseKind = p.keyOf(CHANNELS);

export const CHANNEL_KINDS: readonly ChannelKind[] = Object.keys(CHANNELS).map(parseKind);

/** How often a channel gets a message, if there is anything to say: once a day or once a week. */
const parseRhythm = p.oneOf(["daily", "weekly"]);

export const DELIVERY_STATES = ["pending", "leased", "sent", "dead", "cancelled"] as const;

/** Thresholds that a register has, at most, and days of the longest. */
const MAX_THRESHOLDS = 10;
const MAX_THRESHOLD_DAYS = 365;

const MAX_MAIL_TEXT = 200;

/**
 * `GET /api/reminders`. `timeZone` is IANA's, `hour` is that of the day there. `quietDays` are ISO
 * weekdays (1 is Monday) without messages. `thresholds` are days before an expiry, the longest first;
 * the day itself and the day after always count. `escalation` is the id of a channel. The instants are
 * null until reminders are on. `late`: the last time in which the program did not run for over 25
 * hours, and how many domains were told late for it; null a week later.
 */
export type ReminderSettings = p.Parsed<typeof parseReminderSettings>;

export const parseReminderSettings = p.object({
  timeZone: p.text,
  hour: p.number,
  quietDays: p.list(p.number),
  thresholds: p.list(p.number),
  escalation: p.nullable(p.text),
  lastEvaluatedAt: p.nullable(p.text),
  nextAt: p.nullable(p.text),
  late: p.nullable(parseLate),
});

export const parseChannelId = limitedText({ max: 36 });

export const parseTimeZone = p.described(
  (value) => {
    // An offset is a time zone to Intl, but one that knows no summer time.
    if (typeof value === "string" && /^[A-Za-z]/.test(value)) {
      try {
        return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone;
      } catch {
        // Unknown: refused below.
      }
    }
    return p.refuse("value", p.expected("a time zone such as Europe/Berlin", value));
  },
  () => ({ type: "string", pattern: "^[A-Za-z]" }),
);

function distinct(parse: p.Parser<number>, max: number): p.Parser<number[]> {
  return p.mapped(p.list(parse, { max }), (numbers) =>
    [...new Set(numbers)].toSorted((one, other) => other - one),
  );
}

/** `PUT /api/reminders`, which turns them on; an absent member stays as it is. */
export const parseReminderChange = p.exactObject({
  timeZone: p.optional(parseTimeZone),
  hour: p.optional(p.integer(0, 23)),
  quietDays: p.optional(
    p.mapped(distinct(p.integer(1, 7), 7), (days) =>
      days.length < 7 ? days : p.refuse("length", "Leave at least one weekday for reminders"),
    ),
  ),
  thresholds: p.optional(distinct(p.integer(1, MAX_THRESHOLD_DAYS), MAX_THRESHOLDS)),
  escalation: p.optional(p.nullable(parseChannelId)),
});

/** `GET /api/channels`; `filter` is the text of a view. `secret` comes once, from POST and PATCH. */
export type Channel = p.Parsed<typeof parseChannel>;

export const parseChannel = p.object({
  id: p.text,
  kind: parseKind,
  name: p.text,
  target: p.text,
  filter: p.text,
  /** The id of the person whose domains it is about; null: all domains. */
  person: p.orElse(p.nullable(p.text), null),
  rhythm: parseRhythm,
  changes: p.orElse(p.boolean, false),
  /**
   * `broken`: the other side refuses for good. `paused`: a person has to correct something, or wanted
   * no more messages. What comes meanwhile waits.
   */
  state: p.oneOf(["working", "broken", "paused"]),
  lastSentAt: p.nullable(p.text),
  lastError: p.nullable(p.text),
  hasSecret: p.orElse(p.boolean, false),
  secret: p.optional(p.text),
});

export const parseChannels = p.object({ items: p.list(parseChannel) });

const parseName = requiredLabel(VIEW_LIMITS.name, (value) =>
  p.refuse("required", p.expected("a name", value)),
);

const parseTarget = p.mapped(limitedText({ max: 2000 }), (given) => {
  const target = given.trim();
  return target === "" ? p.refuse("required", "Enter where messages go.") : target;
});

const channelShape = {
  name: parseName,
  target: parseTarget,
  filter: p.optional(parseQuery),
  person: p.optional(p.nullable(p.textLike(UUID, "value", "the id of a person"))),
  rhythm: p.optional(parseRhythm),
  changes: p.optional(p.boolean),
};

/** `POST /api/channels`; `target` is an e-mail address, a URL, or `host/topic` of ntfy. */
export const parseNewChannel = p.exactObject({ kind: parseKind, ...channelShape });

/** `PATCH /api/channels/:id`: an absent member stays as it is. */
export const parseChannelChange = p.exactObject({
  ...channelShape,
  name: p.optional(parseName),
  target: p.optional(parseTarget),
  state: p.optional(p.oneOf(["working", "paused"])),
  rotateSecret: p.optional(p.boolean),
});

/** `POST /api/channels/:id/test`: what the other side said. */
export const parseTested = p.object({ ok: p.boolean, said: p.text });

/** An e-mail address, also with a name: `Freehold <names@example.com>`. */
export const SENDER = new RegExp(
  `^(?:[^<>\\p{Cc}]{1,100}<${EMAIL_ADDRESS}>|${EMAIL_ADDRESS})$`,
  "u",
);
export const SENDER_IN_WORDS = "an e-mail address, or a name with an address in <>";

/** Where mail is handed over, and who it comes from. */
export type MailServer = p.Parsed<typeof parseMailServer>;

const mailServerShape = {
  host: p.textLike(
    /^(?!.{254})(?:(?:[\w-]+\.)*[\w-]+\.?|[\da-f:.]*:[\da-f:.]*)$/i,
    "value",
    "a host name",
  ),
  port: p.integer(1, 65_535),
  /** STARTTLS, which is then required, TLS from the start, or plain text. */
  tls: p.oneOf(["starttls", "implicit", "off"]),
  /** Null: it asks for no sign-in. */
  user: parseLabel(MAX_MAIL_TEXT),
  sender: p.textLike(SENDER, "value", SENDER_IN_WORDS),
} as const;

export const parseMailServer = p.object(mailServerShape);

/** `GET /api/mail-server`. `setBy` the variable, or here; `problem`: why nothing can be sent. */
export type MailServerState = p.Parsed<typeof parseMailServerState>;

export const parseMailServerState = p.object({
  setBy: p.nullable(p.oneOf(["variable", "settings"])),
  server: p.nullable(parseMailServer),
  problem: p.nullable(p.text),
});

/** `PUT /api/mail-server`: a test goes to `testTo` first. The password belongs to a user. */
export const parseMailServerChange = p.exactObject({
  ...mailServerShape,
  password: p.optional(limitedText({ max: MAX_MAIL_TEXT })),
  testTo: p.textLike(new RegExp(`^${EMAIL_ADDRESS}$`, "u"), "value", "an e-mail address"),
});

/**
 * One message to one channel, about `domains` domains when it was made; `subject` is null until it was
 * written. `lastError` also says why it was cancelled.
 */
export type Delivery = p.Parsed<typeof parseDelivery>;

export const parseDelivery = p.object({
  id: p.text,
  channelId: p.text,
  type: p.text,
  subject: p.orElse(p.nullable(p.text), null),
  domains: p.orElse(p.number, 0),
  state: p.oneOf(DELIVERY_STATES),
  attempts: p.number,
  createdAt: p.text,
  sentAt: p.nullable(p.text),
  nextAt: p.nullable(p.text),
  lastError: p.nullable(p.text),
});

/** `GET /api/deliveries?state=&limit=&after=`, the newest first; `next` goes into `after`. */
export const parseDeliveries = p.page(parseDelivery);

/** `PUT /api/domains/:id/handled`: snoozed until a day; null: acknowledged. */
export const parseHandledChange = p.exactObject({ until: p.nullable(parseDay) });

/** `GET /api/calendars`; `url` comes once, from POST. `lastFetchedBy` is the reader's User-Agent. */
export type Calendar = p.Parsed<typeof parseCalendar>;

export const parseCalendar = p.object({
  id: p.text,
  name: p.text,
  filter: p.text,
  alarmDays: p.nullable(p.number),
  url: p.optional(p.text),
  lastFetchedAt: p.nullable(p.text),
  lastFetchedBy: p.nullable(p.text),
});

export const parseCalendars = p.object({ items: p.list(parseCalendar) });

/** `POST /api/calendars`; `alarmDays`: days before an expiry at which the calendar rings. */
export const parseNewCalendar = p.exactObject({
  name: parseName,
  filter: p.optional(parseQuery),
  alarmDays: p.optional(p.nullable(p.integer(0, MAX_THRESHOLD_DAYS))),
});
