import { setImmediate } from "node:timers/promises";
import { UnavailableError } from "./database-error.ts";

/** SQLite runs statements inside the call: a row of them would block all other requests. */
export function yieldToEventLoop(): Promise<void> {
  return setImmediate();
}

/** Yields to the event loop once `maxBusyMs` have passed since it last did: most calls only look at the clock. */
function createYielder(maxBusyMs: number) {
  let busySince = performance.now();
  const yieldNow = async () => {
    await yieldToEventLoop();
    busySince = performance.now();
  };
  return () => (performance.now() - busySince < maxBusyMs ? undefined : yieldNow());
}

/** The one of this thread, for loops that follow one another: they take no turn longer than one of them. */
export const yieldIfBusy = createYielder(8);

const MAX_BUSY_MS = 16;

/**
 * Runs at most `slots` pieces of work at once, and the others in order after them; a failure rejects its own
 * caller only. A backlog yields every `MAX_BUSY_MS`. Work that queues more work and awaits it would wait for
 * itself.
 */
export function createQueue({ slots = 1, maxWaiting = Number.POSITIVE_INFINITY } = {}) {
  const waiting: (() => void)[] = [];
  let free = slots;
  let yielder = createYielder(MAX_BUSY_MS);

  function turn(maxWaitMs: number | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push(resolve);
    if (maxWaitMs === undefined) return promise;
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(new UnavailableError(`was busy with other writers for ${maxWaitMs} ms`));
    }, maxWaitMs);
    return promise.finally(() => clearTimeout(timer));
  }

  /** @throws {UnavailableError} When it waits longer than `maxWaitMs`, or `maxWaiting` others do. */
  return async <T>(work: () => Promise<T>, maxWaitMs?: number): Promise<T> => {
    // An empty queue has blocked nothing.
    if (free === slots) yielder = createYielder(MAX_BUSY_MS);
    if (free > 0) free -= 1;
    else if (waiting.length >= maxWaiting) throw new UnavailableError("has too many reads waiting");
    else await turn(maxWaitMs);
    try {
      await yielder();
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
