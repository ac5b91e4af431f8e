import { describe, expect, test } from "bun:test";
import { allowsRange, parseByteRange } from "../../../src/server/static/byte-range.ts";

describe("parseByteRange", () => {
  test.each<[header: string, expected: ReturnType<typeof parseByteRange>]>([
    ["bytes=0-0", { start: 0, end: 1 }],
    ["bytes=0-9", { start: 0, end: 10 }],
    ["bytes=2-5", { start: 2, end: 6 }],
    ["bytes=5-", { start: 5, end: 10 }],
    ["bytes=9-999999999999999999999", { start: 9, end: 10 }],
    ["bytes=-3", { start: 7, end: 10 }],
    ["bytes=-99", { start: 0, end: 10 }],
    ["BYTES= 1-2 ", { start: 1, end: 3 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=99-100", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=5-4", null],
    ["bytes=0-1,3-4", null],
    ["bytes=", null],
    ["bytes=-", null],
    ["bytes=a-b", null],
    ["bytes=-1-2", null],
    ["items=0-1", null],
    ["", null],
  ])("%j of 10 bytes → %j", (header, expected) => {
    expect(parseByteRange(header, 10)).toEqual(expected);
  });

  test("finds no part in an empty body", () => {
    expect(parseByteRange("bytes=0-", 0)).toBe("unsatisfiable");
    expect(parseByteRange("bytes=-1", 0)).toBe("unsatisfiable");
  });
});

describe("allowsRange", () => {
  test.each<[header: string | null, allowed: boolean]>([
    [null, true],
    ['"tag"', true],
    ['W/"tag"', false],
    ['"other"', false],
    ["Sat, 21 Nov 2026 04:45:32 GMT", false],
    ["*", false],
  ])("%j → %j", (header, allowed) => {
    expect(allowsRange(header, '"tag"')).toBe(allowed);
  });
});
