/** Milliseconds of work after which other requests get their turn. */
const MAX_BUSY_MS = 8;

/** Yields to the event loop where enough time has passed since it last did. */
export type Yielder = () => Promise<void> | undefined;

/** For loops of many cheap steps: most calls only look at the clock. */
export function createYielder(): Yielder {
  let busySince = performance.now();
  return () => {
    if (performance.now() - busySince < MAX_BUSY_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        busySince = performance.now();
        resolve();
      });
    });
  };
}
