import type { Day, Instant } from "../../shared/day.ts";

/** What a message is about; also the type of a webhook. */
export type MessageType =
  | "reminder.due"
  | "reminder.digest"
  | "finding.opened"
  | "finding.closed"
  | "domain.changed"
  | "channel.test";

/** One domain of a message, as it is when the message is sent. Texts are not escaped. */
export interface MessageName {
  domainId: string;
  /** The A-label form; `unicode` is for people. */
  name: string;
  unicode: string;
  /** The day to act by. */
  expires: Day | null;
  /** From the register's today to `expires`; negative once it has passed. */
  days: number | null;
  threshold: number | null;
  reason: "due" | "baseline" | "digest";
  owner: string | null;
  registrar: string | null;
  account: string | null;
  /** `€12.00`, or null where it is unknown. */
  price: string | null;
  /** The heading that it stands under: `Within 14 days · Acme`, or what a check found. */
  group: string;
  /** What to do, in one or two sentences. */
  advice: string;
  /** To its page, and to the page that acknowledges it; null without `PUBLIC_URL`. */
  link: string | null;
  acknowledgeLink: string | null;
}

/** Everything that mail, webhooks and chats say. */
export interface Message {
  type: MessageType;
  /** The delivery's: the same on each try. */
  id: string;
  at: Instant;
  /** One line: `3 domains expire within 14 days`. */
  title: string;
  /** Sentences that stand before the names: lateness, broken channels, what a first message is. */
  notes: readonly string[];
  /** The most urgent first, at most 50. */
  names: readonly MessageName[];
  /** How many more domains it concerns. */
  more: number;
  /** Domains by threshold, tightest first; all of them, named or not. */
  counts: Readonly<Record<string, number>>;
  late: { from: Instant; to: Instant; names: number } | null;
  /** Names of other channels that are broken. */
  brokenChannels: readonly string[];
  /** To the register, and for mail to the page that ends these messages; null without `PUBLIC_URL`. */
  link: string | null;
  unsubscribeLink: string | null;
}

/** How an attempt ended; `said` is what the other side answered, at most 300 characters. */
export type SendResult =
  | { kind: "sent"; said: string }
  | { kind: "retry"; said: string; afterMs?: number }
  /** The recipient refused for good. */
  | { kind: "dead"; said: string }
  /** Nothing can be sent until a person has corrected something. */
  | { kind: "paused"; said: string };

const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const daysFormat = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** A day as messages write it: `12 December 2026`, which no reader takes for another day. */
export function formatDay(day: Day): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`));
}

/** `in 5 days`, `tomorrow`, `today`, `5 days ago`. */
export function daysInWords(days: number): string {
  return daysFormat.format(days, "day");
}
