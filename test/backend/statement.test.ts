import { describe, expect, test } from "bun:test";
import { createStatementQueue } from "../../src/backend/statement-queue.ts";
import { insertion, runAll, statement, update } from "../../src/backend/statement.ts";
import type { Statement } from "../../src/backend/statement.ts";

/** The text of a statement as SQLite takes it, and its values. */
function written({ texts, values }: Statement) {
  return [texts.join("?").replace(/\s+/g, " ").trim(), ...values];
}

describe("statement", () => {
  test("keeps values out of the text", () => {
    const name = "x'; drop table t; --";
    expect(written(statement`select ${name}, ${1} where a is ${null}`)).toEqual([
      "select ?, ? where a is ?",
      name,
      1,
      null,
    ]);
    expect(written(statement`begin`)).toEqual(["begin"]);
  });

  test("makes a list of an array", () => {
    const one = statement`delete from t where a in ${["x"]}`;
    expect(written(one)).toEqual(["delete from t where a in (?)", "x"]);
    const several = statement`delete from t where a in ${["x", "y"]} and b = ${2}`;
    expect(written(several)).toEqual(["delete from t where a in (?,?) and b = ?", "x", "y", 2]);
  });
});

describe("insertion", () => {
  test("adds every row, by the columns of the first", () => {
    const rows = [
      { a: 1, b: "x" },
      { b: null, a: 2 },
    ];
    expect(written(insertion("t", rows, "on conflict do nothing"))).toEqual([
      "insert into t (a, b) values (?,?),(?,?) on conflict do nothing",
      1,
      "x",
      2,
      null,
    ]);
  });
});

describe("update", () => {
  test("sets columns, and what stands behind them", () => {
    const rest = statement`, version = version + 1 where id in ${["i", "j"]}`;
    expect(written(update("t", { a: 1, b: null }, rest))).toEqual([
      "update t set a = ?, b = ?, version = version + 1 where id in (?,?)",
      1,
      null,
      "i",
      "j",
    ]);
  });
});

describe("runAll", () => {
  test("runs one after another, and goes on with the work meanwhile", async () => {
    const steps: string[] = [];
    async function* work(): AsyncGenerator<Statement, string, undefined> {
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
    async function* work(): AsyncGenerator<Statement, string, undefined> {
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
    expect(await runAll(work(), run, 2)).toBe("result");
    expect(steps).toEqual(["makes three", "one ends", "two ends", "three ends"]);
  });

  test("rejects with the first failure of several", async () => {
    async function* work(): AsyncGenerator<Statement, void, undefined> {
      for (const word of ["one", "two", "three"]) yield { texts: [word], values: [] };
    }
    const run = async ({ texts }: Statement) => {
      await Bun.sleep(texts[0] === "one" ? 10 : 1);
      throw new Error(texts[0]);
    };
    await expect(runAll(work(), run, 3)).rejects.toThrow("one");
    await expect(runAll(work(), run, 2)).rejects.toThrow("one");
  });

  test("rejects with what failed first, not with what followed from it", async () => {
    async function* work(): AsyncGenerator<Statement, void, undefined> {
      yield statement`one`;
      await Bun.sleep(5);
      throw new Error("The transaction is aborted");
    }
    const failing = runAll(work(), () => Promise.reject(new Error("A constraint")));
    await expect(failing).rejects.toThrow("A constraint");
    const sound = runAll(work(), () => Promise.resolve());
    await expect(sound).rejects.toThrow("The transaction is aborted");
  });
});
