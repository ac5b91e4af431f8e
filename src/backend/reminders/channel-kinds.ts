import { createHmac } from "node:crypto";
import { DAY_MS } from "../../shared/day.ts";
import { quotable } from "../../shared/parse.ts";
import { EMAIL } from "../../shared/people.ts";
import type { ChannelKind } from "../../shared/reminders.ts";
import { decodeSegment } from "../http/read-input.ts";
import { badFields } from "../http/request-error.ts";
import { type Outbound, OutboundError, parseRetryAfter } from "../outbound/outbound.ts";
import type { StoredChannel } from "./channel-store.ts";
import { type FindSmtp, sendMail } from "./mail.ts";
import { ALLOW_HINT, explain, type Message, type SendResult, shorten } from "./message.ts";
import type { MessageName } from "./payload.ts";
import { daysInWords, formatDay, formatPrice } from "./wording.ts";

const LOOKUP_TIMEOUT_MS = 5_000;

export interface Carriers {
  outbound: Outbound;
  findSmtp: FindSmtp;
}

interface Sending {
  /** Returns a target as it is stored. @throws {RequestError} 400 */
  checkTarget(given: string, carriers: Carriers): Promise<string>;
  /** Throws only what is a bug. */
  send(
    channel: StoredChannel,
    message: Message,
    carriers: Carriers & { now: Date; signal: AbortSignal },
  ): Promise<SendResult>;
}

function parseUrl(given: string): URL {
  const url = URL.parse(given);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw refuseTarget("Expected an address that begins with https:// or http://.");
}

/** `ntfy.sh/my-topic`, or its URL. */
function parseTopic(given: string): URL {
  const url = parseUrl(given.includes("://") ? given : `https://${given}`);
  if (/\/[\w-]{1,64}$/.test(url.pathname)) return url;
  throw refuseTarget("Expected a host and a topic, such as ntfy.sh/my-topic.");
}

/** Refuses a URL whose host has no address that may be connected to. */
async function checkUrl(url: URL, outbound: Outbound): Promise<string> {
  const signal = AbortSignal.timeout(LOOKUP_TIMEOUT_MS);
  const { addresses, refused, outcome } = await outbound.locate(url.hostname, signal);
  if (addresses.length > 0) return url.href;
  if (refused.length > 0) {
    throw refuseTarget(`${refused[0]} is not a public address. ${ALLOW_HINT}`);
  }
  if (outcome !== "nxdomain" && outcome !== "nodata") return url.href; // Sending will tell.
  const hint = "A name that only a private network knows needs DNS_SERVERS and OUTBOUND_ALLOW.";
  throw refuseTarget(`${url.hostname} has no address. ${hint}`);
}

function refuseTarget(detail: string) {
  return badFields([{ pointer: "/target", code: "value", detail }]);
}

const LIMITS = { timeoutMs: 15_000, maxBytes: 4_096, partial: true } as const;

/** Writes what is posted, and where; `body` is JSON, or what becomes JSON. */
type WritePost = (
  channel: StoredChannel,
  message: Message,
  now: Date,
) => { url: string; body: string | object; headers?: Record<string, string> };

/** Posts messages. Only a 2xx status is a success, whatever the body; an abort is no answer. */
function posting(write: WritePost, parse: (given: string) => URL = parseUrl): Sending {
  return {
    checkTarget: (given, { outbound }) => checkUrl(parse(given), outbound),
    async send(channel, message, { outbound, now, signal }) {
      const { url, body, headers } = write(channel, message, now);
      const target = new URL(url);
      const login = [target.username, target.password].map(decodeSegment).join(":");
      const authorization = `Basic ${Buffer.from(login).toString("base64")}`;
      try {
        const answer = await outbound.request(target, {
          ...LIMITS,
          method: "POST",
          headers: {
            "content-type": "application/json",
            ...(login !== ":" && { authorization }),
            ...headers,
          },
          body: typeof body === "string" ? body : JSON.stringify(body),
          signal,
        });
        const { status } = answer;
        const redirect = status >= 300 && status < 400 ? " (redirects are not followed)" : "";
        const said = shorten(`${status}${redirect} ${answer.body}`);
        if (status >= 200 && status < 300) return { kind: "sent", said };
        if (status === 410) return { kind: "dead", said };
        const afterMs = parseRetryAfter(answer.headers["retry-after"], now);
        return { kind: "retry", said, ...(afterMs !== null && { afterMs }) };
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        return { kind: error.failure === "certificate" ? "paused" : "retry", said: explain(error) };
      }
    },
  };
}

const MAX_WEBHOOK_BYTES = 20_000;
/** For how long after a rotation the previous secret signs too. */
const ROTATION_MS = DAY_MS;

/** As many of the domains as fit. */
function writeBody({ type, at, ...message }: Message): string {
  const { title, counts, late, brokenChannels, link } = message;
  const listed = [...message.names, ...message.settled].map(writeName);
  const total = message.more + listed.length;
  for (;;) {
    const more = total - listed.length;
    const data = { title, counts, late, names: listed, more, brokenChannels, link };
    const body = JSON.stringify({ type, timestamp: at, data });
    if (Buffer.byteLength(body) <= MAX_WEBHOOK_BYTES || listed.pop() === undefined) return body;
  }
}

function writeName({ domain, expires, days, threshold, reason, finding, ...rest }: MessageName) {
  const { name, unicode, registrar, account, owner, tags, autoRenew, decision } = domain;
  const conflict = domain.expires?.conflict ? "conflict" : "agreed";
  const dateStatus = domain.expires === null ? "unknown" : conflict;
  const about = { name, unicode, expires, days, dateStatus, threshold, reason };
  const price = domain.renewal ?? domain.listPrice;
  const facts = { registrar, account, owner, tags, price, autoRenew, decision };
  const { advice, link: url } = rest;
  return { ...about, ...(finding !== null && { finding }), ...facts, advice, url };
}

/** Signed as a Standard Webhook. The time is the machine's: receivers compare it with their clock. */
const writeWebhook: WritePost = ({ target, config }, message, now) => {
  const body = writeBody(message);
  const { secret = null, previousSecret = null, rotatedAt = null } = config ?? {};
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const rotates = rotatedAt !== null && now.getTime() < Date.parse(rotatedAt) + ROTATION_MS;
  const signatures = [secret, rotates ? previousSecret : null].flatMap((each) => {
    if (each === null) return [];
    const key = Buffer.from(each.replace("whsec_", ""), "base64");
    const signed = createHmac("sha256", key).update(`${message.id}.${timestamp}.${body}`);
    return [`v1,${signed.digest("base64")}`];
  });
  const headers = {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
  return { url: target, body, headers };
};

// Chats: what people typed can mention and link nothing there.

/** Slack, and Mattermost, which takes the same form. */
const writeSlack: WritePost = ({ target }, message) => {
  const { title, text, link } = writeLines(message, escapeSlack);
  const all = [title, text, ...(link === null ? [] : [link])].join("\n");
  return { url: target, body: { text: all, unfurl_links: false, unfurl_media: false } };
};

const writeDiscord: WritePost = ({ target }, message) => {
  const { title, text, link } = writeLines(message, escapeMarkdown);
  const embed = { description: text, ...(link !== null && { title: "Open", url: link }) };
  const body = { content: title, embeds: [embed], allowed_mentions: { parse: [] } };
  return { url: target, body };
};

const writeTeams: WritePost = ({ target }, message) => {
  const { title, lines, link } = writeLines(message, escapeMarkdown);
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [title, ...lines.filter(Boolean)].map((text) => {
      return { type: "TextBlock", text, wrap: true, spacing: "None" };
    }),
    actions: link === null ? [] : [{ type: "Action.OpenUrl", title: "Open", url: link }],
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  const attachments = [{ contentType, contentUrl: null, content }];
  return { url: target, body: { type: "message", attachments } };
};

/** Posted to the server, with the topic of the target in the body; a query may hold its `auth`. */
const writeNtfy: WritePost = ({ target }, message) => {
  const { title, text, link } = writeLines(message, quotable);
  const url = new URL(target);
  const topic = url.pathname.slice(url.pathname.lastIndexOf("/") + 1);
  url.pathname = url.pathname.slice(0, -topic.length);
  const about = { topic, title, message: text };
  return { url: url.href, body: { ...about, ...(link !== null && { click: link }) } };
};

/** Bytes of the lines of a message: Discord and ntfy cut off or refuse more than 4,096. */
const MAX_LINES_BYTES = 3_500;
const MAX_LINE = 300;

/** Notes, then a line per domain under its heading, while they fit; the last line counts the rest. */
function writeLines(message: Message, escape: (text: string) => string) {
  const { title, notes, names, more, settledNotes, link } = message;
  const write = (line: string) => escape(line.slice(0, MAX_LINE));
  const lines = [...notes, ...settledNotes].map(write);
  let rest = names.length + more;
  let group = "";
  for (const name of names) {
    const heading = name.group === group ? [] : ["", name.group];
    const added = [...heading, describe(name)].map(write);
    if (Buffer.byteLength([...lines, ...added].join("\n")) > MAX_LINES_BYTES) break;
    lines.push(...added);
    ({ group } = name);
    rest -= 1;
  }
  if (rest > 0) lines.push(`and ${rest} more`);
  return { title: escape(title), lines, text: lines.join("\n"), link };
}

function describe({ domain, expires, days, advice }: MessageName): string {
  const when = days === null ? "" : ` (${daysInWords(days)})`;
  const verb = days !== null && days < 0 ? "expired" : "expires";
  const expiry = expires === null ? "expiry unknown" : `${verb} ${formatDay(expires)}${when}`;
  const facts = [expiry, domain.registrar, formatPrice(domain)].filter((fact) => fact !== null);
  return `• ${domain.unicode}: ${facts.join(", ")}. ${advice ?? ""}`.trimEnd();
}

/** A character without width parts what would be a mention or a masked link. */
function escapeMarkdown(text: string): string {
  return quotable(text).replace(/[@<]|\](?=[([])/g, "$&\u200b");
}

/** Slack asks for these three characters; Mattermost would still see `@all` and links of Markdown. */
function escapeSlack(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escapeMarkdown(escaped);
}

/** What people read of a kind is in `CHANNELS` of `shared/`. */
export const SENDING: Readonly<Record<ChannelKind, Sending>> = {
  mail: {
    async checkTarget(given, { findSmtp }) {
      const smtp = await findSmtp();
      if ("problem" in smtp) throw refuseTarget(smtp.problem);
      if (EMAIL.test(given)) return given;
      throw refuseTarget("Expected one e-mail address, such as ada@example.com.");
    },
    async send(channel, message, { findSmtp, signal }) {
      const smtp = await findSmtp();
      if ("problem" in smtp) return { kind: "paused", said: smtp.problem };
      return sendMail(smtp, channel.target, message, signal);
    },
  },
  webhook: posting(writeWebhook),
  slack: posting(writeSlack),
  discord: posting(writeDiscord),
  teams: posting(writeTeams),
  ntfy: posting(writeNtfy, parseTopic),
};
