import { createHmac } from "node:crypto";
import { decodeSegment } from "../http/read-input.ts";
import { type Outbound, OutboundError, parseRetryAfter } from "../outbound/outbound.ts";
import type { StoredChannel } from "./channel-store.ts";
import { type Message, type MessageName, type SendResult, shorten } from "./message.ts";

const LIMITS = { timeoutMs: 15_000, maxBytes: 4_096, partial: true } as const;
const MAX_BODY_BYTES = 20_000;
/** For how long after a rotation the previous secret signs too. */
const ROTATION_MS = 24 * 3_600_000;

/** What a person reads where the address of a target may not be connected to. */
export const ALLOW_HINT = "To allow a private network, add it to OUTBOUND_ALLOW on the server.";

/** What is posted, and where; `body` is JSON, or what becomes JSON. */
interface Post {
  url: string;
  body: string | object;
  headers?: Record<string, string>;
}

/** Writes a message as a kind of channel wants it. */
export type WritePost = (channel: StoredChannel, message: Message, now: Date) => Post;

/**
 * Posts a message. Only a 2xx status is a success, whatever the body; redirects are not followed. An
 * abort counts as no answer.
 */
export async function sendPost(
  outbound: Outbound,
  { url, body, headers }: Post,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<SendResult> {
  const target = new URL(url);
  const login = [target.username, target.password].map(decodeSegment).join(":");
  try {
    const answer = await outbound.request(target, {
      ...LIMITS,
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(login !== ":" && { authorization: `Basic ${Buffer.from(login).toString("base64")}` }),
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
    const { failure, message: why } = error;
    const said = shorten(failure === "blocked" ? `${why}. ${ALLOW_HINT}` : why);
    return { kind: failure === "certificate" ? "paused" : "retry", said };
  }
}

/** The generic form: signed, with as many of the domains as fit. */
export const writeWebhook: WritePost = (channel, message, now) => {
  const body = writeBody(message);
  return { url: channel.target, body, headers: signWebhook(channel, message.id, body, now) };
};

function writeBody({ type, at, ...message }: Message): string {
  const { title, counts, late, brokenChannels, link } = message;
  const listed = [...message.names, ...message.settled].map(writeName);
  const total = message.more + listed.length;
  for (;;) {
    const more = total - listed.length;
    const data = { title, counts, late, names: listed, more, brokenChannels, link };
    const body = JSON.stringify({ type, timestamp: at, data });
    if (Buffer.byteLength(body) <= MAX_BODY_BYTES || listed.pop() === undefined) return body;
  }
}

/** A domain as webhooks carry it: what it takes to route it, and to act. */
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

/**
 * The headers of Standard Webhooks. The time is the machine's, as the receiver compares it with its
 * own clock.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
function signWebhook(channel: StoredChannel, id: string, body: string, now: Date) {
  const { secret = null, previousSecret = null, rotatedAt = null } = channel.config ?? {};
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const rotates = rotatedAt !== null && now.getTime() < Date.parse(rotatedAt) + ROTATION_MS;
  const signatures = [secret, rotates ? previousSecret : null].flatMap((each) => {
    if (each === null) return [];
    const key = Buffer.from(each.replace("whsec_", ""), "base64");
    const signed = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
    return [`v1,${signed.digest("base64")}`];
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
