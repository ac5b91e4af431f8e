import { describe, expect, test } from "bun:test";
import {
  readLabel,
  readNotes,
  readTags,
} from "../../../../src/backend/import/reading/row-values.ts";

const REASON = { reason: expect.stringContaining("control characters") };

describe.each([
  ["readLabel", readLabel],
  ["readNotes", readNotes],
  ["readTags", readTags],
])("%s", (_, read) => {
  test.each(["\u202eevil", "a\u2066b\u2069", "a\0"])("gives a reason against %j", (cell) => {
    expect(read(cell, true)).toEqual(REASON);
    expect(read(cell, false)).toEqual(REASON);
  });

  test.each(["", " ", "\u200b", " \u2060\u00ad"])("takes %j for nothing", (cell) => {
    expect(read(cell, true)).toBeNull();
    expect(read(cell, false)).toBeNull();
  });
});

describe("readLabel", () => {
  test("bounds a label as it is compared", () => {
    expect(readLabel("\ufdfa".repeat(11), false)).toBe("\ufdfa".repeat(11));
    expect(readLabel("\ufdfa".repeat(12), false)).toEqual({
      reason: expect.stringContaining("at most 200 characters"),
    });
    // Normalising so many marks would take minutes.
    expect(readLabel("a\u0301\u0316".repeat(60_000), false)).toEqual({
      reason: expect.stringContaining("at most 200 characters"),
    });
  });
});
