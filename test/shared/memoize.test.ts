import { describe, expect, test } from "bun:test";
import { memoize } from "../../src/shared/memoize.ts";

describe("memoize", () => {
  test("computes once for a key, null included", () => {
    const asked: string[] = [];
    const half = memoize((key) => (asked.push(key), key.length % 2 === 0 ? key.length / 2 : null));
    expect([half("four"), half("one"), half("four"), half("one")]).toEqual([2, null, 2, null]);
    expect(asked).toEqual(["four", "one"]);
  });

  test("keeps no more than 1,000 results, and none for a long key", () => {
    let computed = 0;
    const count = memoize(() => ++computed);
    for (let key = 0; key < 1001; key++) count(String(key));
    count("0");
    expect(computed).toBe(1002);
    const long = "x".repeat(201);
    count(long);
    count(long);
    expect(computed).toBe(1004);
  });
});
