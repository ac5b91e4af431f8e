import type { SQL } from "bun";
import { daysBetween, type Instant } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import { quotable } from "../../shared/parse.ts";
import { CHANNELS } from "../../shared/reminders.ts";
import { dueDay } from "../../shared/work.ts";
import { readColumn } from "../database/database.ts";
import type { OutboundError } from "../outbound/outbound.ts";
import { readDomains } from "../domains/list/read-domains.ts";
import { createSigner, type StoredChannel } from "./channel-store.ts";
import { LAST_DAYS, listStillDue } from "./crossings.ts";
import type { MessageName, MessageType, Payload, PayloadName } from "./payload.ts";
import { readRecipient } from "./recipients.ts";
import { dayIn, readReminders } from "./reminder-settings.ts";
import { adviceOn, notesOn, settledNotesOn, titleOf } from "./wording.ts";
import { openFindings } from "../domains/list/filter-condition.ts";
import { EVERYTHING } from "../http/route.ts";

export interface Message {
  type: MessageType;
  /** The delivery's: the same on each try. */
  id: string;
  at: Instant;
  brand: string;
  /** One line: `3 domains expire within 14 days`. */
  title: string;
  /** Sentences before the names: lateness, broken channels, what a first message is. */
  notes: readonly string[];
  /** What needs something, by threshold, then owner, then day; at most 50, those that come first. */
  names: readonly MessageName[];
  more: number;
  /** What is not named above: at most 50, and the sentences that stand for all of them. */
  settled: readonly MessageName[];
  settledNotes: readonly string[];
  /** Domains by threshold, or by what a check found; all of them, named or not. */
  counts: Readonly<Record<string, number>>;
  late: Payload["late"];
  /** Names of other channels that do not work, 10 at most. */
  brokenChannels: readonly string[];
  /** To the register, and for mail to the page that ends these messages; null without `PUBLIC_URL`. */
  link: string | null;
  unsubscribeLink: string | null;
}

export interface Sender {
  brand: string;
  /** Where links lead; null: there are none. */
  publicUrl: string | null;
}

/** How an attempt ended; `said` is what the other side answered, at most 300 characters. */
export interface SendResult {
  /** `dead`: the recipient refused for good. `paused`: a person has to correct something first. */
  kind: "sent" | "retry" | "dead" | "paused";
  said: string;
  /** How long the other side asks to wait. */
  afterMs?: number;
}

/** Makes one line of at most 300 characters. */
export function shorten(said: string): string {
  return quotable(said.replace(/[\p{Cc}\s]+/gu, " "))
    .trim()
    .slice(0, 300);
}

export const ALLOW_HINT = "To allow a private network, add it to OUTBOUND_ALLOW on the server.";

export function explain({ failure, message }: OutboundError): string {
  return shorten(failure === "blocked" ? `${message}. ${ALLOW_HINT}` : message);
}

/** A person waits for the answer to a test, and browsers for 10 s at most. */
export const TEST_TIMEOUT_MS = 7_500;

/** The test of a mail server that no channel has yet. */
export function writeTest(brand: string, now: Date): Message {
  return {
    ...NO_DOMAINS,
    type: "channel.test",
    id: Bun.randomUUIDv7(),
    at: now.toISOString(),
    brand,
    title: `Test message from ${brand}`,
    notes: ["It works: reminders can be sent."],
  };
}

const NO_DOMAINS = {
  names: [],
  more: 0,
  settled: [],
  settledNotes: [],
  counts: {},
  late: null,
  brokenChannels: [],
  link: null,
  unsubscribeLink: null,
} as const;

const MAX_NAMES = 50;
const MAX_BROKEN = 10;
const MAX_RANK = Number.MAX_SAFE_INTEGER;

/**
 * Writes what a delivery says now, without what is settled or filtered out; null if that is nothing. A preview
 * has no signed links: what they do is for those whom the channel reaches.
 */
export async function renderMessage(
  sql: SQL,
  { id, type, payload }: { id: string; type: MessageType; payload: Payload },
  channel: StoredChannel,
  { now, brand, publicUrl, isPreview = false }: { now: Date; isPreview?: boolean } & Sender,
): Promise<Message | null> {
  const { timeZone, escalation, thresholds } = await readReminders(sql);
  const today = dayIn(timeZone, now);
  const { sight, isChosen } = await readRecipient(sql, channel, today, type);
  if (payload.notice !== null) {
    // Of accounts, which a limited viewer does not see.
    if (sight !== EVERYTHING) return null;
    const { title, text } = payload.notice;
    const link = publicUrl && `${publicUrl}/registrars`;
    const about = { type, id, at: now.toISOString(), brand, title, notes: [text], link };
    return { ...NO_DOMAINS, ...about };
  }
  const ids = [...payload.names, ...payload.renewed].map(({ domainId }) => domainId);
  const known = await readDomains(sql, ids, sight);
  const domains = new Map(known.map((domain) => [domain.id, domain]));
  const chosen = new Set(
    await readColumn(sql`select id from domains where id in ${sql(ids)} and ${isChosen}`),
  );
  const expiring = payload.names.filter(({ finding }) => finding === undefined);
  const due = new Set(expiring.length > 0 ? await listStillDue(sql, expiring, today) : []);
  const evidence = await readEvidence(sql, payload.names);
  const sign = publicUrl && !isPreview ? await createSigner(sql, publicUrl, channel) : null;

  const stands = (domain: Domain, about: PayloadName): boolean => {
    const isForAll = about.escalated || (about.threshold === LAST_DAYS && escalation !== null);
    if (!isForAll && !chosen.has(domain.id)) return false;
    if (type === "domain.changed") return true;
    if (about.finding === undefined) return due.has(domain.id);
    return evidence.has(`${domain.id} ${about.finding}`) === (type === "finding.opened");
  };
  const describe = (domain: Domain, about: PayloadName, isRenewed = false): MessageName => {
    const { id: domainId, name, owner } = domain;
    const expires = dueDay(domain);
    const days = expires === null ? null : daysBetween(today, expires);
    const seen = evidence.get(`${domainId} ${about.finding}`);
    const [heading, advice] = isRenewed
      ? ["Renewed", null]
      : adviceOn(type, domain, { days, about, seen });
    // In the last days a reminder comes all the same.
    const isOpen =
      type.startsWith("reminder.") && advice !== null && days !== null && days > LAST_DAYS;
    const acknowledgeLink = (isOpen && sign?.("acknowledge", domainId, expires ?? "")) || null;
    const group = owner === null ? heading : `${heading} · ${owner}`;
    const links = { link: publicUrl && `${publicUrl}/domains/${name}`, acknowledgeLink };
    const { threshold, reason, finding = null } = about;
    return { domain, expires, days, ...links, threshold, reason, finding, group, advice };
  };

  const standing = payload.names.flatMap((about) => {
    const domain = domains.get(about.domainId);
    return domain !== undefined && stands(domain, about) ? [{ domain, about }] : [];
  });
  const renewed = payload.renewed.flatMap(({ domainId, expiresOn }) => {
    const domain = domains.get(domainId);
    if (domain === undefined || !chosen.has(domainId)) return [];
    if ((dueDay(domain) ?? "") <= expiresOn) return [];
    return describe(domain, { domainId, expiresOn, threshold: null, reason: "digest" }, true);
  });
  const counted = [
    ...standing.map(({ about }) => ({ kind: about.finding ?? about.threshold, names: 1 })),
    ...payload.more.map(({ threshold, names }) => ({ kind: threshold, names })),
  ];
  const counts: Record<string, number> = {};
  for (const { kind, names } of counted) counts[kind ?? type] = (counts[kind ?? type] ?? 0) + names;
  const total = counted.reduce((sum, { names }) => sum + names, 0);
  const isSilent = !payload.unknown && !payload.longExpired && type !== "channel.test";
  if (total + renewed.length === 0 && isSilent) return null;

  const all = standing.map(({ domain, about }) => describe(domain, about)).toSorted(byUrgency);
  // What is to be dropped is never loud: with nothing to do, or once its time is up, it is a sentence.
  const isQuiet = ({ advice, days, domain, reason }: MessageName) =>
    advice === null ||
    (type.startsWith("reminder.") &&
      reason === "digest" &&
      domain.decision === "drop" &&
      (days ?? 0) <= LAST_DAYS);
  const loud = all.filter((name) => !isQuiet(name));
  const dropped = all.filter(isQuiet);
  const said = { brand, total, due: loud, dropped, renewed };
  const names = loud.slice(0, MAX_NAMES);
  const broken = sql<[string][]>`select name from channels
    where id <> ${channel.id} and state <> 'working' order by name limit ${MAX_BROKEN}`;
  const brokenChannels = sight === EVERYTHING ? await readColumn(broken) : [];
  return {
    type,
    id,
    at: now.toISOString(),
    brand,
    title: titleOf(type, channel.rhythm, payload, said),
    notes: notesOn(type, payload, {
      brand,
      isEscalated: standing.some(({ about, domain }) => about.escalated && !domain.handled),
      // A first channel is told of today and tomorrow at once, before everything else.
      hasBaseline: all.some(
        ({ reason, days }) => reason === "baseline" && days !== 0 && days !== LAST_DAYS,
      ),
      timeZone,
      brokenChannels,
      isFirst: channel.lastSentAt === null,
      days: Math.max(LAST_DAYS, ...thresholds),
    }),
    names,
    more: total - dropped.length - names.length,
    settled: [...dropped, ...renewed].slice(0, MAX_NAMES),
    settledNotes: settledNotesOn(payload, said),
    counts,
    late: payload.late,
    brokenChannels,
    link: publicUrl && `${publicUrl}/home`,
    unsubscribeLink: (CHANNELS[channel.kind].isPersonal && sign?.("unsubscribe")) || null,
  };
}

/** As on home: today and tomorrow, what has expired, the newest first, then by threshold. */
function byUrgency(one: MessageName, other: MessageName): number {
  const rank = ({ threshold, reason, days, domain }: MessageName) => {
    // What is to be dropped comes last: there is the least to do.
    if (threshold === null || days === null || (reason === "digest" && days >= 0)) return MAX_RANK;
    if (days < 0) return -1;
    return days <= LAST_DAYS && domain.autoRenew !== true ? -2 : threshold;
  };
  const distance = ({ days }: MessageName) => Math.abs(days ?? 0);
  return (
    rank(one) - rank(other) ||
    compare(one.group, other.group) ||
    distance(one) - distance(other) ||
    compare(one.domain.name, other.domain.name)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

async function readEvidence(sql: SQL, names: readonly PayloadName[]): Promise<Map<string, string>> {
  const ids = names.filter(({ finding }) => finding !== undefined).map(({ domainId }) => domainId);
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; code: string; evidence: string }[]>`
    select domain_id as id, code, evidence from ${openFindings(sql)} n
    where domain_id in ${sql(ids)}`;
  return new Map(rows.map(({ id, code, evidence }) => [`${id} ${code}`, evidence]));
}
