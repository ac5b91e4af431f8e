import { addDays, type Day } from "./day.ts";
import type { Domain, Expiry } from "./domain.ts";
import type { FindingCode } from "./findings.ts";

/** The work that has a day. */
export const WORK = ["expired", "undecided", "renew", "transfer", "switch-off", "trouble"] as const;
export type Work = (typeof WORK)[number] | "look";

export const TO_DO = ["renew", "transfer", "switch-off"] as const satisfies readonly Work[];

/** The groups of home by days: the first day from today on that each is due, and the first one after it. */
export const WORK_DAYS = {
  today: [0, 2],
  expired: [null, 0],
  week: [2, 8],
  days30: [8, 31],
  days60: [31, null],
} as const satisfies Readonly<
  Record<string, readonly [from: number | null, before: number | null]>
>;

/** How long after its expiry a domain can be renewed, and its registrar can give it back. */
export const GRACE_DAYS = 45;

/** How long after that its registrar can restore it. */
const REDEMPTION_DAYS = 30;

/** How long after its expiry a domain that no registry is asked about counts as gone. */
export const GONE_DAYS = 90;

/** The finding that the registry does not know a domain. */
export const UNREGISTERED = "not-registered" satisfies FindingCode;

export interface WorkTime {
  today: Day;
  leadDays: number;
}

type WorkFacts = Pick<
  Domain,
  | "expires"
  | "autoRenew"
  | "decision"
  | "doneFor"
  | "soldOn"
  | "archivedOn"
  | "soldPrice"
  | "findingCodes"
  | "severity"
>;

/** The days that sources report, each with one that does: one, or those of a conflict by date. */
export function reportedDates(expires: Expiry): Expiry["alternatives"] {
  const reports = [expires, ...expires.alternatives].toSorted((one, other) =>
    one.date.localeCompare(other.date),
  );
  return reports.filter((report, index) => report.date !== reports[index - 1]?.date);
}

/** The day to act by: the earliest of those that the sources report. Null where none does. */
export function dueDay({ expires }: Pick<WorkFacts, "expires">): Day | null {
  const earlier = (day: Day, { date }: { date: Day }) => (date < day ? date : day);
  return expires && expires.alternatives.reduce(earlier, expires.date);
}

/** A domain that expired before this day can neither be renewed nor restored. */
export function lapsedBefore(today: Day): Day {
  return addDays(today, -GRACE_DAYS - REDEMPTION_DAYS);
}

/**
 * Whether a domain that was to be dropped is gone: nothing is left to do, and its history remains. In
 * a conflict it is not over, as it may still be charged for.
 */
export function isLapsed({ decision, expires, findingCodes }: WorkFacts, today: Day): boolean {
  const isOver = expires?.conflict === false && expires.date < lapsedBefore(today);
  return decision === "drop" && (isOver || findingCodes.includes(UNREGISTERED));
}

/**
 * What a domain waits for, or null; one that is sold, archived or has lapsed waits for nothing. `todo` in the
 * address stands for `renew`, `transfer` and `switch-off`.
 * - `expired`: its due day has passed, unless it was to be dropped;
 * - `undecided`: due within the lead time, may not renew by itself, nothing decided (or "watch");
 * - `renew`, `transfer`: due within the lead time, and a person has to renew it by hand or start the
 *   transfer; not once that is marked as done;
 * - `switch-off`: the same of a domain to be dropped whose auto-renew is on or unknown, until it is
 *   turned off: registrars also charge after the expiry;
 * - `trouble`: due within the lead time, and a finding is critical though nothing else is to be done;
 * - `look`: the same of a later day or none; or no day is known. Not if it was to be dropped.
 */
export function workOf(domain: WorkFacts, { today, leadDays }: WorkTime): Work | null {
  const due = dueDay(domain);
  const { decision, autoRenew, doneFor, soldOn, soldPrice, archivedOn, severity } = domain;
  if ((soldOn ?? soldPrice ?? archivedOn) !== null) return null;
  const isSoon = due !== null && due <= addDays(today, leadDays);
  if (decision === "drop") {
    const isSettled = autoRenew === false || doneFor === due || isLapsed(domain, today);
    return isSettled || !isSoon ? null : "switch-off";
  }
  const isTroubled = severity === "critical";
  if (!isSoon) return isTroubled || due === null ? "look" : null;
  if (due < today) return "expired";
  const isUndecided = decision === null || decision === "watch";
  if (decision === "transfer" && doneFor !== due) return "transfer";
  if (autoRenew !== true && isUndecided) return "undecided";
  if (autoRenew !== true && decision === "keep" && doneFor !== due) return "renew";
  return isTroubled ? "trouble" : null;
}
