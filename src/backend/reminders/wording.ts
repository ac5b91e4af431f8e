import type { Day } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import { FINDINGS, type FindingCode } from "../../shared/findings.ts";
import { currencyDigits } from "../../shared/money.ts";
import type { Rhythm } from "../../shared/reminders.ts";
import { ADVICE } from "../domains/advice.ts";
import type { MessageName, MessageType } from "./message.ts";
import type { Payload, PayloadName } from "./payload.ts";

/** The sentences of messages, in English. */

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

/** `€12.00`, `$20.00 for 2 years`; null where amount or currency is unknown. */
export function formatPrice({ renewal, listPrice }: Domain): string | null {
  const { minor = 0, currency = null, years = null } = renewal ?? listPrice ?? {};
  if (currency === null) return null;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const price = format.format(minor / 10 ** currencyDigits(currency));
  return years === null || years === 1 ? price : `${price} for ${years} years`;
}

/** `1 domain`, `3 domains`. */
function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

interface TitleFacts {
  names: readonly Pick<MessageName, "unicode" | "days" | "group">[];
  /** Domains by threshold, or by what a check found. */
  kinds: ReadonlyMap<string, number>;
  renewed: number;
  unknown: number | null;
}

/** One line: `1 domain has expired, 4 more expire within 14 days`. */
export function titleOf(type: MessageType, rhythm: Rhythm, facts: TitleFacts): string {
  const { names, kinds, renewed, unknown } = facts;
  const total = [...kinds.values()].reduce((sum, each) => sum + each, 0);
  const [only] = total === 1 ? names : [];
  switch (type) {
    case "channel.test":
      return "Test message from Freehold";
    case "finding.opened":
      return only ? `${only.unicode}: ${only.group}` : `${total} critical problems`;
    case "finding.closed":
      return only
        ? `Solved on ${only.unicode}: ${only.group}`
        : `${total} critical problems solved`;
    case "reminder.digest": {
      const digest = rhythm === "weekly" ? "Weekly digest" : "Daily digest";
      if (total > 0) return `${digest}: ${expiriesInWords(kinds, only)}`;
      if (renewed > 0) return `${digest}: ${countOf(renewed, "domain")} renewed`;
      return `${digest}: ${countOf(unknown ?? 0, "domain")} without an expiry date`;
    }
    default:
      return expiriesInWords(kinds, only);
  }
}

function expiriesInWords(kinds: TitleFacts["kinds"], only?: TitleFacts["names"][number]): string {
  if (only && only.days !== null) {
    return `${only.unicode} ${only.days < 0 ? "expired" : "expires"} ${daysInWords(only.days)}`;
  }
  const [first, ...more] = [...kinds]
    .map(([threshold, count]) => ({ threshold: Number(threshold), count }))
    .toSorted((one, other) => one.threshold - other.threshold);
  if (first === undefined) return "";
  const rest = more.reduce((sum, { count }) => sum + count, 0);
  const begin = `${countOf(first.count, "domain")} ${crossing(first.threshold, first.count)}`;
  if (rest === 0) return begin;
  return `${begin}, ${rest} more ${crossing(more.at(-1)?.threshold ?? 0, rest)}`;
}

/** `has expired`, `expires today`, `expire within 14 days`, of one domain or several. */
function crossing(threshold: number, count: number): string {
  if (threshold < 0) return count === 1 ? "has expired" : "have expired";
  const verb = count === 1 ? "expires" : "expire";
  return `${verb} ${within(threshold)}`;
}

function within(threshold: number): string {
  if (threshold <= 1) return threshold === 0 ? "today" : "by tomorrow";
  return `within ${threshold} days`;
}

/** What a domain stands under: `Within 14 days`, or what a check found. */
export function headingOf(
  { decision, autoRenew }: Domain,
  { threshold, finding }: PayloadName,
): string {
  if (finding !== undefined) return FINDINGS[finding].label;
  if (decision === "drop") return "To be dropped";
  if (threshold === null || threshold < 0) return threshold === null ? "Coming up" : "Expired";
  if (autoRenew === true) return "Should have renewed by now";
  const when = within(threshold);
  return when.charAt(0).toUpperCase() + when.slice(1);
}

/** What to do, in one or two sentences. */
export function adviceOn(
  { registrar, autoRenew, decision, expires }: Domain,
  days: number | null,
  finding?: FindingCode,
  seen?: string,
): string {
  if (finding !== undefined) {
    return seen === undefined
      ? "The check no longer finds it."
      : `${ADVICE[finding]} Seen: ${seen}`;
  }
  const at = `at ${registrar ?? "its registrar"}`;
  if (decision === "drop") {
    return autoRenew === true
      ? `Turn auto-renew off ${at}: it is to be dropped.`
      : "Nothing to do.";
  }
  if (autoRenew === true) return `See ${at} why it has not renewed by itself.`;
  const dispute = expires?.conflict ? " Sources disagree on the date: see which is right." : "";
  if (days !== null && days < 0) return `Renew it ${at} now, if that is still possible.${dispute}`;
  if (decision === "transfer") return `Start the transfer: it can take a week.${dispute}`;
  if (decision === "keep") return `Renew it ${at}.${dispute}`;
  return `Nothing is decided yet: renew it ${at}, or let it go.${dispute}`;
}

interface NoteFacts extends Pick<Payload, "late" | "unknown"> {
  timeZone: string;
  brokenChannels: readonly string[];
  isTest: boolean;
  isBaseline: boolean;
  isEscalated: boolean;
}

/** Sentences that stand before the domains. */
export function notesOn(facts: NoteFacts): string[] {
  const { late, timeZone, brokenChannels, unknown, isTest, isBaseline, isEscalated } = facts;
  const notes: string[] = [];
  if (isTest) notes.push("It works: reminders arrive here.");
  if (late !== null) {
    const style = { dateStyle: "long", timeStyle: "short", timeZone } as const;
    const format = new Intl.DateTimeFormat("en-GB", style);
    const [from, to] = [late.from, late.to].map((at) => format.format(new Date(at)));
    const names = `${late.names} of these ${late.names === 1 ? "is" : "are"} late`;
    notes.push(`Freehold was not running from ${from} to ${to}; ${names}.`);
  }
  if (isEscalated) notes.push("Nobody has acknowledged these yet.");
  if (isBaseline) {
    notes.push(
      "Some were this close already when reminders began. Each is told again when closer.",
    );
  }
  if (unknown) {
    notes.push(
      `${countOf(unknown, "domain")} without an expiry date: no reminder can come for them.`,
    );
  }
  if (brokenChannels.length > 0) {
    const names = brokenChannels.map((name) => `“${name}”`).join(", ");
    notes.push(`Messages to ${names} are not getting through. See Settings.`);
  }
  return notes;
}
