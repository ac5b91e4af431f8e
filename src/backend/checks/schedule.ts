import { DAY_MS, addDays, type Day, daysBetween, HOUR_MS } from "../../shared/day.ts";

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

export interface Timing {
  /** Without the spread. */
  intervalMs: number;
  /** The highest first; a host's daily budget may not reach the others. */
  urgency: number;
}

/** After "not found", which counts the second time, over a day later whatever the spread. */
export const NOT_FOUND: Timing = { intervalMs: 31 * HOUR_MS, urgency: 5 };

/** After something was seen for the first time, which counts half an hour later. */
export const SECOND_LOOK: Timing = { intervalMs: 40 * 60_000, urgency: 5 };

export function registryTiming(
  expires: Day | null,
  statuses: readonly string[],
  today: Day,
): Timing {
  if (statuses.some((status) => MOVING.test(status))) {
    return { intervalMs: 12 * HOUR_MS, urgency: MOVING_URGENCY };
  }
  const left = expires === null ? null : daysBetween(today, expires);
  const row = left === null ? undefined : REGISTRY_INTERVALS.find(({ from }) => left >= from);
  const { days, urgency } = row ?? UNDATED;
  return { intervalMs: days * DAY_MS, urgency };
}

/** When a registrar is asked: daily while its word decides, else every 60 days. */
export function registrarTiming(expires: Day | null, decides: boolean, today: Day): Timing {
  const left = expires === null ? null : Math.abs(daysBetween(today, expires));
  if (decides) return { intervalMs: DAY_MS, urgency: MOVING_URGENCY };
  return left !== null && left <= 90
    ? { intervalMs: 7 * DAY_MS, urgency: 4 }
    : { intervalMs: 60 * DAY_MS, urgency: 1 };
}

export function networkTiming(
  kind: "dns" | "delegation" | "tls" | "http",
  { certificateEnds, today }: { certificateEnds: Day | null; today: Day },
): Timing {
  if (kind === "delegation") return { intervalMs: 7 * DAY_MS, urgency: 2 };
  const endsSoon = certificateEnds !== null && certificateEnds <= addDays(today, 7);
  return { intervalMs: kind === "tls" && endsSoon ? 12 * HOUR_MS : DAY_MS, urgency: 3 };
}

/** Part of an interval by which a check is moved, so that 20,000 imported names make no wave. */
const SPREAD = 0.2;

/** The interval, more or less by up to a fifth, always the same for one domain and kind. */
export function nextCheckAt(now: Date, intervalMs: number, key: string): Date {
  return new Date(now.getTime() + intervalMs * (1 - SPREAD + 2 * SPREAD * fractionOf(key)));
}

/** From 0 to 1, always the same for one text. */
export function fractionOf(key: string): number {
  return Bun.hash.crc32(key) / 0xffff_ffff;
}

const FIRST_RETRY_MS = HOUR_MS;

/** After a look that got no turn at the registry of a name server's domain. */
export const UNASKED_RETRY_MS = 5 * 60_000;

/** After a failure: an hour, doubled each time, up to the usual interval. */
export function retryAfterFailure(
  failures: number,
  intervalMs: number,
  firstMs = FIRST_RETRY_MS,
): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 20), intervalMs);
}
