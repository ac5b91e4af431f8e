import { createYielder } from "../event-loop.ts";
import { UnavailableError } from "./database-error.ts";

/** How long queued work may keep the thread before others get a turn: a frame. */
const MAX_BUSY_MS = 16;

/**
 * Returns a function that runs one piece of work after another, in order. A failure rejects its own
 * caller only. SQLite answers inside the call, so a backlog would keep the thread until its end: after
 * `MAX_BUSY_MS` without a pause the event loop gets a turn. Work must not queue more work and wait for it: it would wait for itself.
 */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  let yielder = createYielder(MAX_BUSY_MS);
  let unfinished = 0;

  /** @throws {UnavailableError} When the work before it takes longer than `maxWaitMs`. */
  return <T>(work: () => Promise<T>, maxWaitMs?: number): Promise<T> => {
    // While the queue was empty it kept nobody waiting.
    if (unfinished === 0) yielder = createYielder(MAX_BUSY_MS);
    unfinished += 1;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const expire = () =>
      reject(new UnavailableError(`was busy with other writers for ${maxWaitMs} ms`));
    const timer = maxWaitMs === undefined ? undefined : setTimeout(expire, maxWaitMs);
    const turn = Promise.race([last, late]).finally(() => clearTimeout(timer));
    const result = turn.then(() => yielder()).then(work);
    // Keeps no result, which the chain would hold on to for ever.
    last = Promise.allSettled([last, result]).then(() => (unfinished -= 1));
    return result;
  };
}

/**
 * Returns a function that runs at most `slots` pieces of work at once and the others after them, in
 * order.
 */
export function createSlots(slots: number, maxWaiting: number) {
  const waiting: (() => void)[] = [];
  let free = slots;

  /** @throws {UnavailableError} When `maxWaiting` others wait. */
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else if (waiting.length >= maxWaiting) throw new UnavailableError("has too many reads waiting");
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
