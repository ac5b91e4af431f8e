import { UnavailableError } from "./database-error.ts";

/** SQLite runs statements inside the call: a row of them would block all other requests. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Yields to the event loop if enough time has passed since it last did. */
type Yielder = () => Promise<void> | undefined;

/** For loops of many cheap steps: most calls only look at the clock. */
function createYielder(maxBusyMs = 8): Yielder {
  let busySince = performance.now();
  const yieldNow = async () => {
    await yieldToEventLoop();
    busySince = performance.now();
  };
  return () => (performance.now() - busySince < maxBusyMs ? undefined : yieldNow());
}

/** The one of this thread, for loops that follow one another: they take no turn longer than one of them. */
export const yieldIfBusy = createYielder();

const MAX_BUSY_MS = 16;

/**
 * Runs one piece of work after another; a failure rejects its own caller only. A backlog yields every
 * `MAX_BUSY_MS`. Work that queues more work and awaits it would wait for itself.
 */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  let yielder = createYielder(MAX_BUSY_MS);
  let unfinished = 0;

  /** @throws {UnavailableError} When the work before it takes longer than `maxWaitMs`. */
  return <T>(work: () => Promise<T>, maxWaitMs?: number): Promise<T> => {
    // An empty queue has blocked nothing.
    if (unfinished === 0) yielder = createYielder(MAX_BUSY_MS);
    unfinished += 1;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const expire = () =>
      reject(new UnavailableError(`was busy with other writers for ${maxWaitMs} ms`));
    const timer = maxWaitMs === undefined ? undefined : setTimeout(expire, maxWaitMs);
    const turn = Promise.race([last, late]).finally(() => clearTimeout(timer));
    const result = turn.then(() => yielder()).then(work);
    // Drops the result, which the chain would otherwise hold.
    last = Promise.allSettled([last, result]).then(() => (unfinished -= 1));
    return result;
  };
}

/** Runs at most `slots` pieces of work at once, and the others after them. */
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
