import type { Loop, Work } from "../../src/backend/jobs/loop.ts";

/** A loop that runs nothing by itself: each step runs all there is to do, and waits for it. */
export function createSteppedLoop(): Loop & { step(): Promise<void> } {
  const works = new Set<Work>();
  const stopping = new AbortController();
  return {
    add(work) {
      works.add(work);
      return () => {};
    },
    async step() {
      const { signal } = stopping;
      for (const { round } of works) while (!signal.aborted && (await round(signal)) === true);
    },
    async stop() {
      stopping.abort();
      for (const { finish } of works) await finish?.();
    },
  };
}
