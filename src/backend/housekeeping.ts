const INTERVAL_MS = 60 * 60_000;

export interface Housekeeping {
  /** Stops, after the round that is under way. */
  stop(): Promise<void>;
}

/**
 * Does the chores now and every hour, one after the other. A chore that fails is logged and tried
 * again in the next round. The timer does not keep the process alive.
 */
export function keepHouse(chores: readonly (() => Promise<void>)[]): Housekeeping {
  let round: Promise<void> = clean(chores);
  const timer = setInterval(() => {
    round = round.then(() => clean(chores));
  }, INTERVAL_MS);
  timer.unref();

  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

async function clean(chores: readonly (() => Promise<void>)[]): Promise<void> {
  for (const chore of chores) {
    await chore().catch((error: unknown) => console.error("Cleaning up failed:", error));
  }
}
