import { UnavailableError } from "./database-error.ts";

/**
 * Returns a function that runs one piece of work after another, in order. A failure rejects its own
 * caller only. Work must not queue more work and wait for it: it would wait for itself.
 */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve();

  /** @throws {UnavailableError} When the work before it takes longer than `maxWaitMs`. */
  return <T>(work: () => Promise<T>, maxWaitMs?: number): Promise<T> => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const expire = () =>
      reject(new UnavailableError(`Other writers were busy for ${maxWaitMs} ms`));
    const timer = maxWaitMs === undefined ? undefined : setTimeout(expire, maxWaitMs);
    const turn = Promise.race([last, late]).finally(() => clearTimeout(timer));
    const result = turn.then(work);
    // Keeps no result, which the chain would hold on to for ever.
    last = Promise.allSettled([last, result]).then(() => undefined);
    return result;
  };
}
