import { describe, expect, test } from "bun:test";
import {
  PAUSE,
  runAll,
  type Statements,
  type Work,
} from "../../../src/backend/database/run-all.ts";
import { createStatementQueue } from "../../../src/backend/database/statement-queue.ts";
import { statement, type Statement } from "../../../src/backend/database/statement.ts";

describe("runAll", () => {
  test("runs one after another, and goes on with the work meanwhile", async () => {
    const steps: string[] = [];
    async function* work(): Statements<string> {
      yield statement`one`;
      steps.push("makes two");
      yield statement`two`;
      steps.push("is done");
      return "result";
    }
    const run = async ({ texts }: Statement) => {
      steps.push(`${texts[0]} begins`);
      await Bun.sleep(5);
      steps.push(`${texts[0]} ends`);
    };
    expect(await runAll(work(), run)).toBe("result");
    const order = ["one begins", "makes two", "one ends", "two begins", "is done", "two ends"];
    expect(steps).toEqual(order);
  });

  test("hands several over at once where that is asked for, and waits for all of them", async () => {
    const steps: string[] = [];
    async function* work(): Statements<string> {
      yield statement`one`;
      yield statement`two`;
      steps.push("makes three");
      yield statement`three`;
      return "result";
    }
    const queue = createStatementQueue();
    const run = (each: Statement) =>
      queue.run(async () => {
        await Bun.sleep(5);
        steps.push(`${each.texts[0]} ends`);
      });
    expect(await runAll(work(), run, { waiting: 2 })).toBe("result");
    expect(steps).toEqual(["makes three", "one ends", "two ends", "three ends"]);
  });

  test("rejects with the first failure of several", async () => {
    async function* work(): Statements<void> {
      for (const word of ["one", "two", "three"]) yield { texts: [word], values: [] };
    }
    const run = async ({ texts }: Statement) => {
      await Bun.sleep(texts[0] === "one" ? 10 : 1);
      throw new Error(texts[0]);
    };
    await expect(runAll(work(), run, { waiting: 3 })).rejects.toThrow("one");
    await expect(runAll(work(), run, { waiting: 2 })).rejects.toThrow("one");
  });

  test("lets the work put away what it has open when a statement or a pause fails", async () => {
    const steps: string[] = [];
    async function* work(): Work<void> {
      try {
        yield statement`one`;
        yield PAUSE;
        yield statement`two`;
        yield statement`three`;
      } finally {
        await Bun.sleep(1);
        steps.push("put away");
      }
    }
    const fail = () => Promise.reject(new Error("The disk is full"));
    const done = () => Promise.resolve();
    await expect(runAll(work(), fail)).rejects.toThrow("The disk is full");
    const pause = { wanted: () => true, make: fail };
    await expect(runAll(work(), done, { pause })).rejects.toThrow("The disk is full");
    expect(steps).toEqual(["put away", "put away"]);
  });

  test("rejects with what failed first, not with what followed from it", async () => {
    async function* work(): Statements<void> {
      yield statement`one`;
      await Bun.sleep(5);
      throw new Error("The transaction is aborted");
    }
    const failing = runAll(work(), () => Promise.reject(new Error("A constraint")));
    await expect(failing).rejects.toThrow("A constraint");
    const sound = runAll(work(), () => Promise.resolve());
    await expect(sound).rejects.toThrow("The transaction is aborted");
  });

  test("pauses where that is wanted, when all before is done, and says so", async () => {
    const steps: string[] = [];
    async function* work(): Work<void> {
      for (const word of ["one", "two", "three"]) {
        yield { texts: [word], values: [] };
        steps.push(`${word}: ${(yield PAUSE) ? "paused" : "went on"}`);
      }
    }
    const run = async ({ texts }: Statement) => {
      await Bun.sleep(2);
      steps.push(`${texts[0]} ends`);
    };
    const pause = {
      wanted: () => steps.length > 0,
      make: async () => void steps.push("a pause"),
    };
    await runAll(work(), run, { waiting: 2, pause });
    expect(steps).toEqual([
      "one: went on",
      "one ends",
      "two ends",
      "a pause",
      "two: paused",
      "three ends",
      "a pause",
      "three: paused",
    ]);
  });

  test("rejects where a pause fails, and never pauses where none is offered", async () => {
    async function* work(): Work<boolean> {
      return yield PAUSE;
    }
    const make = () => Promise.reject(new Error("no"));
    const run = () => Promise.resolve();
    await expect(runAll(work(), run, { pause: { wanted: () => true, make } })).rejects.toThrow(
      "no",
    );
    expect(await runAll(work(), run)).toBe(false);
  });
});
