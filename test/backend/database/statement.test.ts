import { describe, expect, test } from "bun:test";
import { insertion, statement, update } from "../../../src/backend/database/statement.ts";
import type { Statement } from "../../../src/backend/database/statement.ts";

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
