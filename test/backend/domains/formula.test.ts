import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { guardCell, revealCell } from "../../../src/backend/domains/list/csv-export.ts";

const spreadsheet = fc.string({ unit: fc.constantFrom(..."'=+-@\t\r a") });

describe("guardCell", () => {
  const plain = ["=1+1", "+1", "-1", "@SUM(A1)", "＝1"];
  const hidden = ["\t=1", "\rx", "\n=1", "  =1", " \t@x", "'=1", "''=1"];
  test.each([...plain, ...hidden])("makes %j harmless", (text) => {
    expect(guardCell(text)).toBe(`'${text}`);
    expect(revealCell(guardCell(text))).toBe(text);
  });

  test.each(["", "a", "1-1", "a=b", "'quoted'", "it's"])("leaves %j alone", (text) => {
    expect(guardCell(text)).toBe(text);
    expect(revealCell(text)).toBe(text);
  });

  test("never leaves a cell that a spreadsheet would run, and is always undone", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), spreadsheet), (text) => {
        expect(guardCell(text)).not.toMatch(/^\s*[=+\-@]|^[\t\r]/);
        expect(revealCell(guardCell(text))).toBe(text);
      }),
    );
  });
});
