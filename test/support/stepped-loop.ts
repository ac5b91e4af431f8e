import type { BackgroundWork, Loop } from "../../src/backend/jobs/loop.ts";

/** A loop that runs nothing by itself: each step runs all there is to do, and waits for it. */
export function createSteppedLoop(): Loop & { step(): Promise<void> } {
  const works = new Set<BackgroundWork>();
  const stopping = new AbortController();
  let stepping = Promise.resolve();
  async function step() {
    const { signal } = stopping;
    for (const { round } of works) while (!signal.aborted && (await round(signal)) === true);
  }
  return {
    add(work) {
      works.add(work);
      return () => {};
    },
    step: () => (stepping = step()),
    async stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await stepping.catch(() => {});
      for (const { finish } of works) await finish?.();
    },
  };
}
