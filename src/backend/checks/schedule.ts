import type { CheckKind } from "../../shared/check-summary.ts";
import type { CheckOutcome } from "../../shared/checks.ts";
import { DAY_MS, addDays, type Day, daysBetween, HOUR_MS } from "../../shared/day.ts";
import type { Derived } from "./derive.ts";
import type { FinishedCheck } from "./queues.ts";

const MOVING = /^(?:redemption period|pending (?:delete|transfer|restore)|(?:client|server) hold)$/;

/** From `from` days before the expiry on, a registry is asked every `days` days. */
const REGISTRY_INTERVALS = [
  { from: 181, days: 30, urgency: 1 },
  { from: 61, days: 14, urgency: 2 },
  { from: 31, days: 7, urgency: 3 },
  { from: 8, days: 2, urgency: 4 },
  { from: -80, days: 1, urgency: 5 },
] as const;

/** Without a date, and long after the last one. */
const UNDATED = { days: 14, urgency: 2 };

/** Of a domain in trouble; only "check now" goes first. */
const MOVING_URGENCY = 6;

interface Timing {
  /** Without the spread. */
  intervalMs: number;
  /** The highest first; a host's daily budget may not reach the others. */
  urgency: number;
}

export function registryTiming(
  expires: Day | null,
  statuses: readonly string[],
  today: Day,
): Timing {
  if (statuses.some((status) => MOVING.test(status))) {
    return { intervalMs: 12 * HOUR_MS, urgency: MOVING_URGENCY };
  }
  const left = expires === null ? -Infinity : daysBetween(today, expires);
  const { days, urgency } = REGISTRY_INTERVALS.find(({ from }) => left >= from) ?? UNDATED;
  return { intervalMs: days * DAY_MS, urgency };
}

/** Daily while the registrar’s word decides, else every 60 days, weekly around the expiry. */
export function registrarTiming(expires: Day | null, decides: boolean, today: Day): Timing {
  if (decides) return { intervalMs: DAY_MS, urgency: MOVING_URGENCY };
  const isNear = expires !== null && Math.abs(daysBetween(today, expires)) <= 90;
  return isNear ? { intervalMs: 7 * DAY_MS, urgency: 4 } : { intervalMs: 60 * DAY_MS, urgency: 1 };
}

/** After "not found", which counts the second time, over a day later whatever the spread. */
const NOT_FOUND: Timing = { intervalMs: 31 * HOUR_MS, urgency: 5 };

/** After something was seen for the first time, which counts half an hour later. */
const SECOND_LOOK: Timing = { intervalMs: 40 * 60_000, urgency: 5 };

function timingOf(kind: CheckKind, outcome: CheckOutcome, derived: Derived | null, today: Day) {
  const { expires = null, asksRegistrar = false, unsure, results } = derived ?? {};
  if (unsure?.has(kind) === true) return SECOND_LOOK;
  switch (kind) {
    case "registrar":
      return registrarTiming(expires, asksRegistrar, today);
    case "registry":
    case "whois":
      if (outcome === "not-found") return NOT_FOUND;
      return registryTiming(expires, results?.[kind]?.statuses ?? [], today);
    case "delegation":
      return { intervalMs: 7 * DAY_MS, urgency: 2 };
    default: {
      const week = addDays(today, 7);
      const endsSoon = results?.tls?.some(({ validTo }) => validTo.slice(0, 10) <= week);
      return { intervalMs: kind === "tls" && endsSoon ? 12 * HOUR_MS : DAY_MS, urgency: 3 };
    }
  }
}

/** Outcomes after which the check is tried again sooner. */
const FAILURES: ReadonlySet<string> = new Set(
  "timeout unreachable malformed refused servfail formerr notimp other".split(" "),
);

const MAX_FAILURES = 1_000;

/** After a failure: an hour, doubled each time, up to the usual interval. */
const FIRST_RETRY_MS = HOUR_MS;

/** The same after a look that got no turn at the registry of a name server's domain. */
const UNASKED_RETRY_MS = 5 * 60_000;

/** Part of an interval by which a check is moved, so that 20,000 imported names make no wave. */
const SPREAD = 0.2;

/** When a check is due again, and the end of its lease. */
export function scheduleNext(
  { check, result: { outcome, result } }: FinishedCheck,
  derived: Derived | null,
  now: Date,
) {
  const { domain_id, kind } = check;
  const today = now.toISOString().slice(0, 10);
  const { intervalMs, urgency } = timingOf(kind, outcome, derived, today);
  const unasked = (kind === "delegation" && derived?.results.delegation?.unaskedHosts) || [];
  const isUnasked = !FAILURES.has(outcome) && unasked.length > 0;
  // The pace of a host that limits us decides when; for the check that is one failure a day.
  const isLimited = outcome === "limited" && result === null;
  const isAgain = isLimited && check.checked_at?.slice(0, 10) === today;
  const hasFailed = FAILURES.has(outcome) || isUnasked || isLimited;
  const failures = hasFailed ? Math.min(check.failures, MAX_FAILURES) + (isAgain ? 0 : 1) : 0;
  const firstMs = isUnasked ? UNASKED_RETRY_MS : FIRST_RETRY_MS;
  const retryMs = Math.min(firstMs * 2 ** Math.min(failures - 1, 20), intervalMs);
  const wait = hasFailed ? retryMs : intervalMs;
  const spread = 1 - SPREAD + 2 * SPREAD * fractionOf(`${domain_id} ${kind}`);
  const due = isLimited ? now : new Date(now.getTime() + wait * spread);
  return { due_at: due.toISOString(), priority: urgency, leased_until: null, failures };
}

/** From 0 to 1, always the same for one text. */
export function fractionOf(key: string): number {
  return Bun.hash.crc32(key) / 0xffff_ffff;
}
