import { setTimeout } from "node:timers/promises";
import { isUnavailable, logFailure } from "../database/database-error.ts";
import { createCounter } from "../../shared/metrics.ts";

export const JOB_FAILURES = createCounter("freehold_job_failures_total", "Rounds that failed.");

export interface BackgroundWork {
  /** For the log: `Sending messages`. */
  name: string;
  /** Milliseconds after a round that did nothing. */
  pauseMs: number;
  /** Resolves with whether it did something, or with the milliseconds until the next round. */
  round: (signal: AbortSignal) => Promise<boolean | number>;
  /** Runs after the last round, before the stop is done. */
  finish?: () => Promise<void>;
}

export interface Loop {
  /** Runs rounds until the loop stops. Call what it returns to run one soon, as when something became due. */
  add(work: BackgroundWork): () => void;
  /** Aborts the rounds that are under way and waits for what follows them, 7 s at most. */
  stop(): Promise<void>;
}

/** How long a stop waits for a round that does not heed its signal. */
const STOP_TIMEOUT_MS = 7_000;

/** Before the first round: a server that starts has requests to answer first. */
const START_MS = 1_000;

/** After a failed round; one that fails again and again must not fill the log. */
const RETRY_MS = 30_000;

/** The same where the database was not available, which is in the log once. */
export const OUTAGE_RETRY_MS = 5_000;

/** Rounds that fail are logged. Timers do not keep the process alive. */
export function createLoop(): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<{ wake: () => void; ended: Promise<void> }>();

  function add({ name, pauseMs, round, finish = async () => {} }: BackgroundWork): () => void {
    let waking = new AbortController();
    /** Ends early when it is woken, and is left out when that came before it. */
    async function pause(ms: number): Promise<void> {
      await setTimeout(ms, null, { signal: waking.signal, ref: false }).catch(() => undefined);
      waking = new AbortController();
    }
    const wake = () => waking.abort();
    async function run() {
      await pause(START_MS);
      while (!signal.aborted) {
        try {
          const done = await round(signal);
          await pause(typeof done === "number" ? done : done ? 0 : pauseMs);
        } catch (error) {
          if (signal.aborted) break;
          JOB_FAILURES.add({ work: name });
          logFailure(`${name} failed`)(error);
          await pause(isUnavailable(error) ? OUTAGE_RETRY_MS : RETRY_MS);
        }
      }
      await finish().catch(logFailure(`${name} did not stop cleanly`));
    }
    running.add({ wake, ended: run() });
    return wake;
  }

  return {
    add,
    async stop() {
      stopping.abort();
      for (const { wake } of running) wake();
      const ended = Promise.all([...running].map((work) => work.ended));
      await Promise.race([ended, Bun.sleep(STOP_TIMEOUT_MS)]);
    },
  };
}
