import type { Day } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import { FINDINGS } from "../../shared/findings.ts";
import { currencyDigits } from "../../shared/money.ts";
import type { Channel } from "../../shared/reminders.ts";
import { expiryAdvice } from "../../shared/advice.ts";
import { dueDay, GRACE_DAYS } from "../../shared/work.ts";
import { findingAdvice } from "../domains/expiry/advice.ts";
import { LAST_DAYS } from "./crossings.ts";
import type { MessageName, MessageType, Payload, PayloadName } from "./payload.ts";

const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const shortDayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const daysFormat = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** A day as messages write it: `12 December 2026`, which no reader takes for another day. */
export function formatDay(day: Day): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`));
}

/** `in 5 days`, `tomorrow`, `today`, `5 days ago`. */
export function daysInWords(days: number): string {
  return daysFormat.format(days, "day");
}

/** `€12.00`, `$20.00 for 2 years`; null where amount or currency is unknown. */
export function formatPrice({ renewal, listPrice }: Pick<Domain, "renewal" | "listPrice">) {
  const { minor = 0, currency = null, years = null } = renewal ?? listPrice ?? {};
  if (currency === null) return null;
  const digits = currencyDigits(currency);
  const format = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const price = format.format(minor / 10 ** digits);
  return years === null || years === 1 ? price : `${price} for ${years} years`;
}

/** `1 domain`, `20,000 domains`. */
function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** What a message says of domains; `total` are due and dropped, named or not. */
type SaidDomains = { brand: string; total: number } & Record<
  "due" | "dropped" | "renewed",
  readonly MessageName[]
>;

/** `1 domain has expired, 4 more expire within 14 days`. */
export function titleOf(
  type: MessageType,
  rhythm: Channel["rhythm"],
  payload: Payload,
  { brand, total, due, dropped, renewed }: SaidDomains,
): string {
  const [only] = total === 1 ? due : [];
  const found = only ? `${only.domain.unicode}: ${only.group}` : foundInWords(due, total);
  const unknown = `${countOf(payload.unknown ?? 0, "domain")} without an expiry date`;
  const news = [
    expiriesInWords(due, payload.more),
    dropped.length > 0 && droppedInWords(dropped),
    renewed.length > 0 && `${countOf(renewed.length + payload.moreRenewed, "domain")} renewed`,
    longExpiredInWords(payload, false),
  ].find(Boolean);
  const titles: Record<MessageType, string> = {
    "channel.test": `Test message from ${brand}`,
    "account.notice": payload.notice?.title ?? "",
    "domain.changed": `${only?.domain.unicode ?? countOf(total, "domain")} changed by ${payload.changedBy}`,
    "finding.opened": found,
    "finding.closed": `Resolved on ${found}`,
    "reminder.due": news || unknown,
    "reminder.digest": `${rhythm === "weekly" ? "Weekly" : "Daily"} digest: ${news || unknown}`,
  };
  return titles[type];
}

const MAX_FOUND = 2;

/** `3 domains: cancelled at the registrar, DNSSEC fails`; `total` counts what was found, named or not. */
function foundInWords(found: readonly MessageName[], total: number): string {
  const domains = new Set(found.map(({ domain }) => domain.id)).size + total - found.length;
  const labels = new Set(found.flatMap(({ finding }) => (finding ? FINDINGS[finding].label : [])));
  const words = [...labels].map((label) =>
    label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()),
  );
  const more = words.length > MAX_FOUND ? " and more" : "";
  return `${countOf(domains, "domain")}: ${words.slice(0, MAX_FOUND).join(", ")}${more}`;
}

/** `36 more expired over 45 days ago`; null for none. */
function longExpiredInWords({ longExpired }: Payload, isMore: boolean): string | null {
  if (!longExpired) return null;
  const names = isMore
    ? `${longExpired.toLocaleString("en")} more`
    : countOf(longExpired, "domain");
  return `${names} expired over ${GRACE_DAYS} days ago`;
}

/** What a title counts, in its order, which is that of home: the verb for one, for several, and when. */
const COUNTED = {
  today: ["expires", "expire", "today"],
  tomorrow: ["expires", "expire", "tomorrow"],
  expired: ["has", "have", "expired"],
  later: ["expires", "expire", ""],
  renewing: ["is", "are", "set to renew"],
} as const;

function countedAs(days: number, willRenew = false): keyof typeof COUNTED {
  if (days < 0) return "expired";
  if (willRenew) return "renewing";
  return days === 0 ? "today" : days === 1 ? "tomorrow" : "later";
}

/** `2 domains expire today, 3 tomorrow, 37 more within 60 days`; empty for none. */
function expiriesInWords(due: readonly MessageName[], more: Payload["more"]): string {
  const all = [
    ...due.map(({ days, threshold, domain: { autoRenew, decision } }) => ({
      kind: countedAs(days ?? 0, autoRenew === true && decision !== "drop"),
      threshold: threshold ?? days,
      names: 1,
    })),
    ...more.map((each) => ({ ...each, kind: countedAs(each.threshold ?? 0) })),
  ];
  const [only] = due;
  if (all.length === 1 && only && only.days !== null) {
    const [verb, , when] = COUNTED[countedAs(only.days, all[0]?.kind === "renewing")];
    const said = { has: "expired", expires: "expires", is: `is ${when}` }[verb];
    return `${only.domain.unicode} ${said} ${daysInWords(only.days)}`;
  }
  const days = all.flatMap(({ kind, threshold }) => (kind === "later" ? (threshold ?? 0) : []));
  const parts: string[] = [];
  let lastVerb = "";
  for (const [kind, [one, several, when]] of Object.entries(COUNTED)) {
    const count = all.reduce((sum, each) => sum + (each.kind === kind ? each.names : 0), 0);
    if (count === 0) continue;
    const isFirst = parts.length === 0;
    const number = isFirst ? countOf(count, "domain") : count.toLocaleString("en");
    const verb = several !== lastVerb && (count === 1 ? one : several);
    const also = !isFirst && kind === "later" && "more";
    const at = when || `within ${Math.max(...days)} days`;
    parts.push([number, also, verb, at].filter(Boolean).join(" "));
    lastVerb = several;
  }
  return parts.join(", ");
}

/** `3 domains to be dropped expire within 60 days`, or that they may still renew. */
function droppedInWords(dropped: readonly MessageName[]): string {
  const charged = dropped.filter(({ advice }) => advice !== null);
  if (charged.length > 0)
    return `${countOf(charged.length, "domain")} to be dropped may still renew`;
  const days = Math.max(...dropped.map(timeOf));
  const verb = dropped.length === 1 ? "expires" : "expire";
  return `${countOf(dropped.length, "domain")} to be dropped ${verb} ${within(days)}`;
}

/** The days to tell: those that are left in the last days, else the threshold. */
function timeOf({ days, threshold }: Pick<MessageName, "days" | "threshold">): number {
  return days !== null && days <= LAST_DAYS ? days : (threshold ?? days ?? 0);
}

function within(days: number): string {
  if (days <= 1) return days === 0 ? "today" : "tomorrow";
  return `within ${days} days`;
}

const MAX_LISTED = 10;

function listInWords(names: readonly MessageName[], unnamed = 0): string {
  const listed = names.slice(0, MAX_LISTED).map(({ domain }) => domain.unicode);
  const more = names.length + unnamed - listed.length;
  return `${listed.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A sentence for each kind of domain that is not named above. */
export function settledNotesOn(
  payload: Payload,
  { dropped, renewed, total }: SaidDomains,
): string[] {
  const notes: string[] = [];
  const longExpired = longExpiredInWords(payload, total > 0);
  if (longExpired !== null) notes.push(`${longExpired}. The home screen shows all of them.`);
  for (const [advice, names] of Map.groupBy(dropped, (each) => each.advice)) {
    if (advice === null) notes.push(`${droppedInWords(names)}. Auto-renew is off: nothing to do.`);
    else notes.push(`${droppedInWords(names)}: ${listInWords(names)}. ${advice}`);
  }
  if (renewed.length > 0) notes.push(`Renewed: ${listInWords(renewed, payload.moreRenewed)}.`);
  return notes;
}

/** What a domain stands under, and what to do in one or two sentences; null for nothing. */
export function adviceOn(
  type: MessageType,
  domain: Domain,
  { days, about, seen }: { days: number | null; about: PayloadName; seen: string | undefined },
): [heading: string, advice: string | null] {
  const { threshold, finding } = about;
  const isOver = days !== null && days < 0;
  if (type === "domain.changed") return ["Changed", "Its page says what."];
  if (finding !== undefined) {
    const { label } = FINDINGS[finding];
    if (seen === undefined) return [label, "The check no longer finds it."];
    return [label, `${findingAdvice(finding, isOver)} Seen: ${seen}`];
  }
  const { registrar, autoRenew, decision, expires } = domain;
  const [why, todo = null] = expiryAdvice(domain, isOver) ?? [];
  if (decision === "drop") return ["To be dropped", todo && `${todo}.`];
  const also = expires?.conflict && "Conflicting dates: check which one is right.";
  if (todo === null) {
    const day = shortDayFormat.format(new Date(`${dueDay(domain)}T00:00:00Z`));
    const advice = `Set to renew on ${day}. Check the payment at ${registrar ?? "the registrar"}.`;
    return ["Auto-renew is due", also ? `${advice} ${also}` : advice];
  }
  const when = within(timeOf({ days, threshold }));
  const soon = when.charAt(0).toUpperCase() + when.slice(1);
  const over = autoRenew ? "Should have renewed by now" : "Expired";
  const said = [why && `${why}.`, `${todo}.`, also].filter(Boolean).join(" ");
  return [isOver ? over : soon, said];
}

export function notesOn(
  type: MessageType,
  { late, unknown, overdue, more }: Payload,
  facts: {
    brand: string;
    isEscalated: boolean;
    hasBaseline: boolean;
    timeZone: string;
    brokenChannels: readonly string[];
    isFirst: boolean;
    days: number;
  },
): string[] {
  const { brand, timeZone, brokenChannels, isFirst, days } = facts;
  const notes: string[] = [];
  if (type === "channel.test") notes.push("It works: reminders arrive here.");
  if (late !== null) {
    const style = { dateStyle: "long", timeStyle: "short", timeZone } as const;
    const format = new Intl.DateTimeFormat("en-GB", style);
    const [from, to] = [late.from, late.to].map((at) => format.format(new Date(at)));
    const names = `${late.names} of these ${late.names === 1 ? "is" : "are"} late`;
    notes.push(`${brand} was not running from ${from} to ${to}; ${names}.`);
  }
  if (facts.isEscalated) notes.push("No one has acknowledged these yet.");
  if (facts.hasBaseline) {
    const what = isFirst ? "This first message" : "Some domains are new to reminders: this message";
    const all = isFirst ? "everything" : "those that are";
    const lists = more.length === 0 ? all : "the most urgent that are";
    const where = more.length === 0 ? "" : " The home screen shows all of them.";
    notes.push(
      `${what} lists ${lists} due within ${days} days.${where} Later ones bring only what’s new.`,
    );
  }
  if (overdue) {
    const names = countOf(overdue, "domain");
    const where = `The home screen shows ${overdue === 1 ? "it" : "them"}.`;
    notes.push(`${names} expired over a week ago although auto-renew is on. ${where}`);
  }
  if (unknown) {
    notes.push(`No reminders come for ${countOf(unknown, "domain")} without an expiry date.`);
  }
  if (brokenChannels.length > 0) {
    const names = brokenChannels.map((name) => `“${name}”`).join(", ");
    notes.push(`Messages to ${names} are not getting through. See Settings.`);
  }
  return notes;
}
