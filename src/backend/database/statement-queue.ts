/** Runs one piece of work after another, in the order in which they were handed in. */
export interface StatementQueue {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How many wait for their turn. */
  waiting(): number;
}

/**
 * A queue for a connection that cannot keep its callers apart. Work that fails rejects its own
 * caller only. Work must not hand in more work and wait for it: it would wait for itself.
 */
export function createStatementQueue(): StatementQueue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  return {
    run<T>(work: () => Promise<T>): Promise<T> {
      waiting += 1;
      const result = last.then(() => {
        waiting -= 1;
        return work();
      });
      last = result.catch(() => undefined);
      return result;
    },
    waiting: () => waiting,
  };
}
