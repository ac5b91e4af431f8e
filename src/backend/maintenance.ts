const INTERVAL_MS = 60 * 60_000;

/**
 * Runs the jobs now and every hour, one after the other. A job that fails is logged and tried again
 * in the next round. The timer does not keep the process alive.
 */
export function startMaintenance(jobs: readonly (() => Promise<void>)[]) {
  let round: Promise<void> = runJobs(jobs);
  const timer = setInterval(() => {
    round = round.then(() => runJobs(jobs));
  }, INTERVAL_MS);
  timer.unref();

  return {
    /** Stops after the round that is under way. */
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

async function runJobs(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  for (const job of jobs) {
    await job().catch((error: unknown) => console.error("Maintenance failed:", error));
  }
}
