import type { Day } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import { FINDINGS } from "../../shared/findings.ts";
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

/** `1 domain`, `20,000 domains`. */
function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * One line: `1 domain has expired, 4 more expire within 14 days`. `kinds` counts domains by threshold,
 * or by what a check found; `due` are those that are named.
 */
export function titleOf(
  type: MessageType,
  rhythm: Rhythm,
  payload: Payload,
  facts: {
    brand: string;
    kinds: ReadonlyMap<string, number>;
    due: readonly MessageName[];
    renewed: number;
  },
): string {
  const { brand, kinds, due, renewed } = facts;
  const total = [...kinds.values()].reduce((sum, each) => sum + each, 0);
  const [only] = total === 1 ? due : [];
  const found = only ? `${only.unicode}: ${only.group}` : countOf(total, "critical finding");
  const news =
    total > 0
      ? expiriesInWords(kinds, only)
      : renewed > 0
        ? `${countOf(renewed, "domain")} renewed`
        : `${countOf(payload.unknown ?? 0, "domain")} without an expiry date`;
  const titles: Record<MessageType, string> = {
    "channel.test": `Test message from ${brand}`,
    "domain.changed": `${only?.unicode ?? countOf(total, "domain")} changed by ${payload.changedBy}`,
    "finding.opened": found,
    "finding.closed": only ? `Solved on ${found}` : `${found} solved`,
    "reminder.due": news,
    "reminder.digest": `${rhythm === "weekly" ? "Weekly" : "Daily"} digest: ${news}`,
  };
  return titles[type];
}

function expiriesInWords(kinds: ReadonlyMap<string, number>, only?: MessageName): string {
  if (only && only.days !== null) {
    return `${only.unicode} ${only.days < 0 ? "expired" : "expires"} ${daysInWords(only.days)}`;
  }
  const [first, ...more] = [...kinds]
    .map(([threshold, count]) => ({ threshold: Number(threshold), count }))
    .toSorted((one, other) => one.threshold - other.threshold);
  if (first === undefined) return "";
  const begin = `${countOf(first.count, "domain")} ${crossing(first.threshold, first.count)}`;
  const last = more.at(-1);
  if (last === undefined) return begin;
  const rest = more.reduce((sum, { count }) => sum + count, 0);
  return `${begin}, ${rest.toLocaleString("en")} more ${crossing(last.threshold, rest)}`;
}

/** `has expired`, `expires today`, `expire within 14 days`, of one domain or several. */
function crossing(threshold: number, count: number): string {
  if (threshold < 0) return count === 1 ? "has expired" : "have expired";
  return `${count === 1 ? "expires" : "expire"} ${within(threshold)}`;
}

function within(threshold: number): string {
  if (threshold <= 1) return threshold === 0 ? "today" : "by tomorrow";
  return `within ${threshold} days`;
}

/**
 * What a domain stands under, and what to do in one or two sentences.
 *
 * @param facts `seen` is what the checks saw of a finding that is open.
 */
export function adviceOn(
  type: MessageType,
  { registrar, autoRenew, decision, expires }: Domain,
  facts: { days: number | null; about: PayloadName; seen: string | undefined },
): [heading: string, advice: string] {
  const { days, seen } = facts;
  const { threshold, finding } = facts.about;
  if (type === "domain.changed") return ["Changed", "Its page says what."];
  if (finding !== undefined) {
    const { label } = FINDINGS[finding];
    if (seen === undefined) return [label, "The check no longer finds it."];
    return [label, `${ADVICE[finding]} Seen: ${seen}`];
  }
  const at = `at ${registrar ?? "its registrar"}`;
  if (decision === "drop") {
    return ["To be dropped", autoRenew === true ? `Turn auto-renew off ${at}.` : "Nothing to do."];
  }
  const also = expires?.conflict ? " Sources disagree on the date: see which is right." : "";
  if (days !== null && days < 0)
    return ["Expired", `Renew it ${at} now, if that is still possible.${also}`];
  if (autoRenew === true)
    return ["Should have renewed by now", `See ${at} why it has not renewed by itself.${also}`];
  const when = within(threshold ?? days ?? 0);
  const heading = when.charAt(0).toUpperCase() + when.slice(1);
  if (decision === "transfer") return [heading, `Start the transfer: it can take a week.${also}`];
  if (decision === "keep") return [heading, `Renew it ${at}.${also}`];
  return [heading, `Nothing is decided yet: renew it ${at}, or let it go.${also}`];
}

/** Sentences that stand before the domains. `named` is what the message is about still. */
export function notesOn(
  type: MessageType,
  { late, unknown }: Payload,
  facts: {
    brand: string;
    named: readonly PayloadName[];
    timeZone: string;
    brokenChannels: readonly string[];
  },
): string[] {
  const { brand, named, timeZone, brokenChannels } = facts;
  const notes: string[] = [];
  if (type === "channel.test") notes.push("It works: reminders arrive here.");
  if (late !== null) {
    const style = { dateStyle: "long", timeStyle: "short", timeZone } as const;
    const format = new Intl.DateTimeFormat("en-GB", style);
    const [from, to] = [late.from, late.to].map((at) => format.format(new Date(at)));
    const names = `${late.names} of these ${late.names === 1 ? "is" : "are"} late`;
    notes.push(`${brand} was not running from ${from} to ${to}; ${names}.`);
  }
  if (named.some(({ escalated }) => escalated)) notes.push("Nobody has acknowledged these yet.");
  if (named.some(({ reason }) => reason === "baseline")) {
    notes.push(
      "Some were already this close when reminders began. You hear of each again as it gets closer.",
    );
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
