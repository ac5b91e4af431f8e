import { expect, test } from "bun:test";
import { UnavailableError } from "../../../src/backend/database/database-error.ts";
import { createQueue } from "../../../src/backend/database/event-loop.ts";

test("createQueue gives up work that waits too long, and never runs it", async () => {
  const queue = createQueue();
  const { promise, resolve } = Promise.withResolvers<string>();
  const long = queue(() => promise);
  const steps: string[] = [];
  const late = queue(async () => steps.push("late"), 10).catch((error: unknown) => error);
  const patient = queue(async () => steps.push("patient"));
  expect(await late).toBeInstanceOf(UnavailableError);
  resolve("done");
  expect(await long).toBe("done");
  await patient;
  expect(steps).toEqual(["patient"]);
});

test("createQueue of several slots runs so many at once, the others in order, and refuses more than may wait", async () => {
  const run = createQueue({ slots: 2, maxWaiting: 2 });
  const ends: PromiseWithResolvers<void>[] = [];
  const begun: number[] = [];
  const work = (index: number) => async () => {
    begun.push(index);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    await end.promise;
    if (index === 0) throw new Error("The first failed");
  };
  const results = [0, 1, 2, 3].map((index) => run(work(index)));
  await expect(run(work(4))).rejects.toBeInstanceOf(UnavailableError);
  expect(begun).toEqual([0, 1]);
  ends[0]?.resolve();
  await expect(results[0]).rejects.toThrow("The first failed");
  await Bun.sleep(0);
  expect(begun).toEqual([0, 1, 2]);
  ends[1]?.resolve();
  await results[1];
  await Bun.sleep(0);
  expect(begun).toEqual([0, 1, 2, 3]);
  for (const end of ends) end.resolve();
  await Promise.all(results.slice(1));
  await expect(Promise.race([run(async () => "free"), Bun.sleep(100)])).resolves.toBe("free");
});
