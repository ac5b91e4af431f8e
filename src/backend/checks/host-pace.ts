import type { Instant } from "../../shared/day.ts";
import type { Outcome } from "./registration.ts";

/** How fast a host may be asked; a row of `check_hosts`, shared by all instances. */
export interface HostPace {
  host: string;
  /** Milliseconds between two questions; `floorMs` is the least it may become. */
  intervalMs: number;
  floorMs: number;
  /** When it may be asked next. */
  nextAt: Instant;
  /** It asked to be left alone until then; null: it did not. */
  blockedUntil: Instant | null;
  /** Good answers since the last change of pace, and refusals for asking too much in a row. */
  good: number;
  limited: number;
  /** Questions on the UTC day `day`. */
  day: string;
  today: number;
}

/** What a kind of host is given at first, and at most on a day. */
export const PACES = {
  rdap: { intervalMs: 1_000, perDay: 20_000 },
  whois: { intervalMs: 5_000, perDay: 1_000 },
} as const;

const FIRST_BLOCK_MS = 60_000;
const MAX_BLOCK_MS = 6 * 3_600_000;
const MAX_INTERVAL_MS = 60_000;
/** Good answers after which a host that had limited us is asked a tenth faster. */
const GOOD_ANSWERS = 50;

/** Whether a host may be asked now. */
export function mayAsk(pace: HostPace, perDay: number, now: Date): boolean {
  const at = now.toISOString();
  const isBlocked = pace.blockedUntil !== null && pace.blockedUntil > at;
  const isSpent = pace.day === at.slice(0, 10) && pace.today >= perDay;
  return pace.nextAt <= at && !isBlocked && !isSpent;
}

/** The pace once a question has been taken: nobody asks again before the interval is over. */
export function afterQuestion(pace: HostPace, now: Date): HostPace {
  const day = now.toISOString().slice(0, 10);
  return {
    ...pace,
    nextAt: new Date(now.getTime() + pace.intervalMs).toISOString(),
    day,
    today: pace.day === day ? pace.today + 1 : 1,
  };
}

/** The pace after an answer: half as fast where it says "limited", a tenth faster after 50 good ones. */
export function afterAnswer(
  pace: HostPace,
  { outcome, retryAfterMs }: { outcome: Outcome; retryAfterMs: number | null },
  now: Date,
): HostPace {
  if (outcome === "limited") {
    const limited = pace.limited + 1;
    const wait =
      retryAfterMs ?? Math.min(FIRST_BLOCK_MS * 2 ** Math.min(limited - 1, 20), MAX_BLOCK_MS);
    return {
      ...pace,
      good: 0,
      limited,
      intervalMs: Math.min(pace.intervalMs * 2, MAX_INTERVAL_MS),
      blockedUntil: new Date(now.getTime() + wait).toISOString(),
    };
  }
  const good = pace.good + 1;
  if (good < GOOD_ANSWERS) return { ...pace, good, limited: 0 };
  const intervalMs = Math.max(Math.round(pace.intervalMs * 0.9), pace.floorMs);
  return { ...pace, good: 0, limited: 0, intervalMs };
}
