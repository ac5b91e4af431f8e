import { subscriberOf } from "../../shared/subscriber.ts";

/** Whether an address may try to sign in; while it is locked, how many seconds remain. */
type AttemptState = { kind: "open" } | { kind: "locked"; retryAfter: number };

export type Attempts = ReturnType<typeof createAttempts>;

/** The tenth failure locks an address for 15 minutes. */
const MAX_ATTEMPTS = 10;
const LOCK_MS = 15 * 60_000;

/** With more addresses than this, the one that has been quiet longest is forgotten. */
const MAX_ADDRESSES = 10_000;

/**
 * Counts failed attempts by client address, never by user: an attacker locks out only their own
 * address, not the owner at another. IPv6 counts by /64, which is what one subscriber has.
 */
export function createAttempts(now: () => number = Date.now) {
  const counts = new Map<string, { attempts: number; endsAtMs: number }>();

  function current(address: string) {
    const count = counts.get(subscriberOf(address));
    return count !== undefined && count.endsAtMs > now() ? count : undefined;
  }

  function put(address: string, attempts: number): void {
    const key = subscriberOf(address);
    // Set anew, the entry moves to the end: the first of the map is the one quiet longest.
    counts.delete(key);
    const [oldest] = counts.keys();
    if (counts.size >= MAX_ADDRESSES && oldest !== undefined) counts.delete(oldest);
    counts.set(key, { attempts, endsAtMs: now() + LOCK_MS });
  }

  function state(address: string): AttemptState {
    const count = current(address);
    if (count === undefined || count.attempts < MAX_ATTEMPTS) return { kind: "open" };
    return { kind: "locked", retryAfter: Math.ceil((count.endsAtMs - now()) / 1000) };
  }

  return {
    state,
    /** Counts an attempt and returns the state before it. */
    take(address: string): AttemptState {
      const before = state(address);
      if (before.kind === "open") put(address, (current(address)?.attempts ?? 0) + 1);
      return before;
    },
    /** Forgets the attempts of an address that has signed in. */
    clear(address: string) {
      counts.delete(subscriberOf(address));
    },
    /** Takes back an attempt that was not examined. */
    giveBack(address: string) {
      const count = current(address);
      if (count !== undefined) count.attempts -= 1;
    },
  };
}
