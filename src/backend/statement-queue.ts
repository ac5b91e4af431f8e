/** Runs one piece of work after another, in the order in which they were handed in. */
export interface StatementQueue {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * A queue for a connection that cannot keep its callers apart. Work that fails rejects its own
 * caller only. Work must not hand in more work and wait for it: it would wait for itself.
 */
export function createStatementQueue(): StatementQueue {
  let last: Promise<unknown> = Promise.resolve();

  return {
    run<T>(work: () => Promise<T>): Promise<T> {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
  };
}
