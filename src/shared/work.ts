import { addDays, daysBetween, type Day } from "./day.ts";
import type { Domain, Expiry } from "./domain.ts";
import type { FindingCode } from "./findings.ts";

export const WORK = ["expired", "undecided", "renew", "transfer", "switch-off"] as const;
export type Work = (typeof WORK)[number];

export const TO_DO = ["renew", "transfer", "switch-off"] as const satisfies readonly Work[];

/** The groups of home: the first day from today on that each is due, and the first one after it. */
export const WORK_DAYS = {
  today: [0, 2],
  expired: [null, 0],
  week: [2, 8],
  days30: [8, 31],
  days60: [31, null],
  todo: [8, null],
} as const satisfies Readonly<
  Record<string, readonly [from: number | null, before: number | null]>
>;

/** How long after its expiry a domain can be renewed, and its registrar can give it back. */
export const GRACE_DAYS = 45;

/** How long after that its registrar can restore it. */
const REDEMPTION_DAYS = 30;

/** The finding that the registry does not know a domain. */
export const UNREGISTERED = "not-registered" satisfies FindingCode;

export interface WorkTime {
  today: Day;
  leadDays: number;
}

type WorkFacts = Pick<
  Domain,
  "expires" | "autoRenew" | "decision" | "doneFor" | "soldOn" | "soldPrice" | "findingCodes"
>;

/** The days that sources report, each with one that does: one, or those of a conflict by date. */
export function reportedDates({ date, source, alternatives }: Expiry): Expiry["alternatives"] {
  const reports = [{ date, source }, ...alternatives].toSorted((one, other) =>
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
 * What a domain waits for, or null; one that is sold or has lapsed waits for nothing. `todo` in the
 * address stands for the last three.
 * - `expired`: its due day has passed, unless it was to be dropped;
 * - `undecided`: due within the lead time, may not renew by itself, nothing decided (or "watch");
 * - `renew`, `transfer`: due within the lead time, and a person has to renew it by hand or start the
 *   transfer; not once that is marked as done;
 * - `switch-off`: the same of a domain to be dropped whose auto-renew is on or unknown, until it is
 *   turned off: registrars also charge after the expiry.
 */
export function workOf(domain: WorkFacts, { today, leadDays }: WorkTime): Work | null {
  const due = dueDay(domain);
  const { decision, autoRenew, doneFor, soldOn, soldPrice } = domain;
  if (soldOn !== null || soldPrice !== null) return null;
  if (due === null || due > addDays(today, leadDays)) return null;
  if (decision === "drop") {
    const isSettled = autoRenew === false || doneFor === due || isLapsed(domain, today);
    return isSettled ? null : "switch-off";
  }
  if (due < today) return "expired";
  if (decision === null || decision === "watch") return autoRenew === true ? null : "undecided";
  if (doneFor === due) return null;
  if (decision === "transfer") return "transfer";
  return autoRenew === true ? null : "renew";
}

/**
 * Why a domain needs attention, and what to do about its expiry, each without its full stop, for every
 * place that says it; null where nothing is to be done.
 *
 * @param isOver Its due day has passed.
 */
export function expiryAdvice(
  { registrar, autoRenew, decision }: Pick<Domain, "registrar" | "autoRenew" | "decision">,
  isOver: boolean,
): readonly [why: string, todo: string] | null {
  const where = registrar ?? "the registrar";
  const flag = autoRenew === null ? "unknown" : autoRenew ? "on" : "off";
  if (decision === "drop") {
    const todo = autoRenew ? "Turn off auto-renew" : "Check that auto-renew is off";
    if (autoRenew === false) return null;
    return [`You want to drop it, but auto-renew is ${flag}`, `${todo} at ${where}`];
  }
  if (isOver) {
    return autoRenew
      ? ["Expired, though auto-renew is on", `Check at ${where} why it hasn’t renewed`]
      : ["Expired", `Renew it at ${where} now; that may still be possible`];
  }
  if (decision === "transfer") return ["", `Start the transfer from ${where}: it can take a week`];
  if (autoRenew) return null;
  return decision === "keep"
    ? [`Auto-renew is ${flag}`, `Renew it at ${where}`]
    : [`Undecided, auto-renew ${flag}`, `Renew it at ${where}, or drop it`];
}

export interface Status {
  kind: "expired" | "due" | "conflict" | "drop" | "lapsed" | "renews" | "ok" | "unknown";
  /** Days until the due day, negative in the past. */
  days: number | null;
}

/** The most urgent fact about a domain; `due` means: within the lead time, and it may not renew. */
export function statusOf(domain: WorkFacts, { today, leadDays }: WorkTime): Status {
  const { expires, decision, autoRenew } = domain;
  const due = dueDay(domain);
  const days = due === null ? null : daysBetween(today, due);
  if (isLapsed(domain, today)) return { kind: "lapsed", days };
  if (decision === "drop") return { kind: "drop", days };
  if (days === null) return { kind: "unknown", days };
  if (days < 0) return { kind: "expired", days };
  if (expires?.conflict) return { kind: "conflict", days };
  if (autoRenew === true) return { kind: "renews", days };
  return { kind: days <= leadDays ? "due" : "ok", days };
}
