import { describe, expect, test } from "bun:test";
import { SeenNames } from "../../../../src/backend/import/reading/seen-names.ts";

describe("SeenNames", () => {
  test("knows every name again, with the line where it first stood", () => {
    const seen = new SeenNames();
    for (let line = 1; line <= 50_000; line += 1)
      expect(seen.add(`a${line}.example`, line)).toBeNull();
    for (let line = 1; line <= 50_000; line += 7)
      expect(seen.add(`a${line}.example`, 99_999)).toBe(line);
  });
});
