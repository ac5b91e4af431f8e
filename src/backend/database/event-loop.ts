/** SQLite runs statements inside the call: a row of them would block all other requests. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Yields to the event loop if enough time has passed since it last did. */
export type Yielder = () => Promise<void> | undefined;

/** For loops of many cheap steps: most calls only look at the clock. */
export function createYielder(maxBusyMs = 8): Yielder {
  let busySince = performance.now();
  const yieldNow = async () => {
    await yieldToEventLoop();
    busySince = performance.now();
  };
  return () => (performance.now() - busySince < maxBusyMs ? undefined : yieldNow());
}

/** The one of this thread, for loops that follow one another: they take no turn longer than one of them. */
export const yieldIfBusy = createYielder();
