import type { CheckOutcome } from "../../shared/checks.ts";
import { DAY_MS, HOUR_MS, type Instant } from "../../shared/day.ts";

/** How fast all instances together may ask a queue: a row of `check_hosts`. */
export interface HostPace {
  /** A host, or a kind of check that asks no single one. */
  host: string;
  kind: HostKind;
  /** Milliseconds between two questions, and the least after a refusal (0: there was none). */
  interval_ms: number;
  floor_ms: number;
  next_at: Instant;
  /** It asked to be left alone until then; null: it did not. */
  blocked_until: Instant | null;
  /** Good answers since the last change of pace, and refusals for asking too much in a row. */
  good: number;
  limited: number;
  /** Questions on the UTC day `day`. */
  day: string;
  today: number;
  last_outcome: CheckOutcome | null;
}

/** The first pace of a kind of queue. The network has one for when a clock jumps and all is due at once. */
export const PACES = {
  rdap: { intervalMs: 1_000, perDay: 20_000 },
  whois: { intervalMs: 5_000, perDay: 1_000 },
  network: { intervalMs: 1_000, perDay: Number.MAX_SAFE_INTEGER },
} as const;

type HostKind = keyof typeof PACES;

/** How long a host is held for its answer, so that it is asked one thing at a time. */
const HOLD_MS = 20_000;

/** Later instants come from a clock that was ahead. */
const MAX_NEXT_MS = 5 * 60_000;
const MAX_BLOCKED_MS = DAY_MS;

const FIRST_BLOCK_MS = 60_000;
const MAX_BLOCK_MS = 6 * HOUR_MS;
const MAX_INTERVAL_MS = 60_000;
/** Good answers after which a host that had limited us is asked a tenth faster. */
const GOOD_ANSWERS = 50;
const FASTER = 0.9;
/** Good answers at the floor after which it is lowered: the limit may have been another then. */
const FLOOR_ANSWERS = 20_000;

export function mayAskHost(pace: HostPace, now: Date): boolean {
  const isToday = pace.day === now.toISOString().slice(0, 10);
  return (
    !isAhead(pace.next_at, now, Math.max(pace.interval_ms, MAX_NEXT_MS)) &&
    !isAhead(pace.blocked_until, now, MAX_BLOCKED_MS) &&
    !(isToday && pace.today >= PACES[pace.kind].perDay)
  );
}

/** When a host will have been asked what is due: not while it is blocked, and so much a UTC day. */
export function finishTime(
  host: Pick<HostPace, "kind" | "today"> & { intervalMs: number; blockedUntil: Instant | null },
  due: number,
  now: Date,
): number {
  const { perDay } = PACES[host.kind];
  const days = Math.ceil((host.today + due) / perDay) - 1;
  const lastDay = Date.parse(now.toISOString().slice(0, 10)) + days * DAY_MS;
  const startsAt = Math.max(now.getTime(), Date.parse(host.blockedUntil ?? "") || 0, lastDay);
  return startsAt + Math.min(due, host.today + due - days * perDay) * host.intervalMs;
}

function isAhead(instant: Instant | null, now: Date, limitMs: number): boolean {
  const ahead = Date.parse(instant ?? "") - now.getTime();
  return 0 < ahead && ahead <= limitMs;
}

/** The pace while a host is asked: it is held until it has answered. */
export function afterQuestions(pace: HostPace, questions: number, now: Date): HostPace {
  const day = now.toISOString().slice(0, 10);
  const wait = pace.kind === "network" ? pace.interval_ms : Math.max(pace.interval_ms, HOLD_MS);
  return {
    ...pace,
    next_at: new Date(now.getTime() + wait).toISOString(),
    day,
    today: (pace.day === day ? pace.today : 0) + questions,
  };
}

/** Answers that say a host is well; a time-out is no reason to ask faster. */
const GOOD: ReadonlySet<CheckOutcome> = new Set(["ok", "absent", "withheld", "not-found"]);

/** Half as fast after "limited", a tenth faster after 50 good answers, never faster than `usualMs`. */
export function afterAnswer(
  held: HostPace,
  { outcome, retryAfterMs }: { outcome: CheckOutcome; retryAfterMs: number | null },
  { usualMs, askedAt, now }: { usualMs: number; askedAt: Date; now: Date },
): HostPace {
  const next = new Date(askedAt.getTime() + held.interval_ms).toISOString();
  const pace = { ...held, next_at: next, last_outcome: outcome };
  if (outcome === "limited") {
    // Answers to questions that were open together are one refusal.
    const { blocked_until: before } = pace;
    const isFirst = before === null || before <= askedAt.toISOString();
    const limited = isFirst ? pace.limited + 1 : pace.limited;
    const wait =
      retryAfterMs ?? Math.min(FIRST_BLOCK_MS * 2 ** Math.min(limited - 1, 20), MAX_BLOCK_MS);
    const until = new Date(now.getTime() + wait).toISOString();
    const slower = Math.max(pace.interval_ms, Math.min(pace.interval_ms * 2, MAX_INTERVAL_MS));
    return {
      ...pace,
      good: 0,
      limited,
      interval_ms: isFirst ? slower : pace.interval_ms,
      floor_ms: isFirst ? Math.ceil(pace.interval_ms / FASTER) : pace.floor_ms,
      blocked_until: isFirst || before < until ? until : before,
    };
  }
  if (!GOOD.has(outcome)) return pace;
  const good = pace.good + 1;
  const isAtFloor = pace.interval_ms <= Math.max(usualMs, pace.floor_ms);
  if (good < (isAtFloor ? FLOOR_ANSWERS : GOOD_ANSWERS)) return { ...pace, good, limited: 0 };
  const floor_ms = isAtFloor ? Math.round(pace.floor_ms * FASTER) : pace.floor_ms;
  const interval_ms = Math.max(Math.round(pace.interval_ms * FASTER), usualMs, floor_ms);
  return { ...pace, good: 0, limited: 0, interval_ms, floor_ms };
}
