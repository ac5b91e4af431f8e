import { describe, expect, test } from "bun:test";
import { remember } from "../../src/server/remember.ts";

describe("remember", () => {
  test("computes once for a key, null included", () => {
    const asked: string[] = [];
    const half = remember((key) => (asked.push(key), key.length % 2 === 0 ? key.length / 2 : null));
    expect([half("four"), half("one"), half("four"), half("one")]).toEqual([2, null, 2, null]);
    expect(asked).toEqual(["four", "one"]);
  });

  test("keeps no more than 100 answers, and none for an endless key", () => {
    let computed = 0;
    const count = remember(() => ++computed);
    for (let key = 0; key < 101; key++) count(String(key));
    count("0");
    expect(computed).toBe(102);
    const endless = "x".repeat(201);
    count(endless);
    count(endless);
    expect(computed).toBe(104);
  });
});
