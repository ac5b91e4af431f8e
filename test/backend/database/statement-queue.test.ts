import { describe, expect, test } from "bun:test";
import { createStatementQueue } from "../../../src/backend/database/statement-queue.ts";

describe("createStatementQueue", () => {
  test("runs one after another in order, whatever each of them takes", async () => {
    const queue = createStatementQueue();
    const steps: string[] = [];
    const work = (name: string, ticks: number) => async () => {
      steps.push(`${name} begins`);
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      steps.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all([queue.run(work("a", 9)), queue.run(work("b", 1))]);
    expect(results).toEqual(["a", "b"]);
    expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });

  test("goes on after a failure, which only its own caller sees", async () => {
    const queue = createStatementQueue();
    const failing = queue.run(() => Promise.reject(new Error("no")));
    const next = queue.run(() => Promise.resolve("yes"));
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });
});
