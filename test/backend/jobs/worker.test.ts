import { expect, test } from "bun:test";
import { startWorker } from "../../../src/backend/jobs/worker.ts";

const NEVER_MS = 2 ** 31 - 1;

test("a worker that is woken or stopped during a round does not pause after it", async () => {
  let rounds = 0;
  const second = Promise.withResolvers<void>();
  const worker = startWorker("Testing", NEVER_MS, async () => {
    rounds += 1;
    if (rounds === 1) worker.wake();
    if (rounds === 2) {
      second.resolve();
      await Bun.sleep(10);
    }
    return false;
  });
  worker.wake();
  await second.promise;
  // It would wait for its pause, and give up after 7 s.
  const gaveUp = Bun.sleep(6_000).then(() => "gave up");
  expect(await Promise.race([worker.stop().then(() => "stopped"), gaveUp])).toBe("stopped");
  expect(rounds).toBe(2);
});
