import { expect, test } from "bun:test";
import { createLoop } from "../../../src/backend/jobs/loop.ts";

const NEVER_MS = 2 ** 31 - 1;

test("work that is woken or stopped during a round does not pause after it", async () => {
  let rounds = 0;
  const second = Promise.withResolvers<void>();
  const loop = createLoop();
  const wake = loop.add({
    name: "Testing",
    pauseMs: NEVER_MS,
    async round() {
      rounds += 1;
      if (rounds === 1) wake();
      if (rounds === 2) {
        second.resolve();
        await Bun.sleep(10);
      }
      return false;
    },
  });
  wake();
  await second.promise;
  // It would wait for its pause, and give up after 7 s.
  const gaveUp = Bun.sleep(6_000).then(() => "gave up");
  expect(await Promise.race([loop.stop().then(() => "stopped"), gaveUp])).toBe("stopped");
  expect(rounds).toBe(2);
});
