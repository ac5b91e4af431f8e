/** Work that goes on by itself until it is stopped. */
export interface Worker {
  /** Runs a round soon, as when something became due. */
  wake(): void;
  /** Aborts the round that is under way and waits for it and for what follows it, 7 s at most. */
  stop(): Promise<void>;
}

/** How long a stop waits for a round that does not heed its signal. */
const STOP_TIMEOUT_MS = 7_000;

/** Before the first round: a server that starts has requests to answer first. */
const START_MS = 1_000;

/** After a failed round; a database that is down must not fill the log. */
const RETRY_MS = 30_000;

/**
 * Runs `round` again and again, with a pause of `pauseMs` where it did nothing, or of as many
 * milliseconds as it says. A round that fails is logged. The timer does not keep the process alive.
 *
 * @param round Resolves with whether it did something, or with the pause.
 * @param finish Runs after the last round, before the stop is done.
 */
export function startWorker(
  name: string,
  pauseMs: number,
  round: (signal: AbortSignal) => Promise<boolean | number>,
  finish: () => Promise<void> = async () => {},
): Worker {
  const stopping = new AbortController();
  const { signal } = stopping;
  // During a round nothing waits yet: the pause after it is left out.
  let isWoken = false;
  let endPause = () => {};
  const wake = () => {
    isWoken = true;
    endPause();
  };

  async function pause(ms: number): Promise<void> {
    if (!isWoken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      timer.unref();
      endPause = resolve;
      await promise;
      clearTimeout(timer);
    }
    isWoken = false;
  }

  async function run() {
    await pause(START_MS);
    while (!signal.aborted) {
      try {
        const done = await round(signal);
        await pause(typeof done === "number" ? done : done ? 0 : pauseMs);
      } catch (error) {
        if (signal.aborted) break;
        console.error(`${name} failed:`, error);
        await pause(RETRY_MS);
      }
    }
  }

  const running = run().then(finish);
  return {
    wake,
    async stop() {
      stopping.abort();
      wake();
      const failed = (error: unknown) => console.error(`${name} did not stop cleanly:`, error);
      await Promise.race([running.catch(failed), Bun.sleep(STOP_TIMEOUT_MS)]);
    },
  };
}
