import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import Papa from "papaparse";
import {
  CsvParser,
  type CsvDialect,
  type CsvRecord,
} from "../../../../src/backend/import/reading/csv.ts";

const COMMAS: CsvDialect = { separator: ",", newline: "any" };

function read(text: string, dialect = COMMAS, size = text.length): CsvRecord[] {
  const parser = new CsvParser(dialect);
  const records: CsvRecord[] = [];
  for (let at = 0; at < text.length; at += Math.max(size, 1)) {
    records.push(...parser.push(text.slice(at, at + size)));
  }
  return records.concat(parser.end());
}

describe("CsvParser", () => {
  test("counts lines through quoted line breaks and blank lines", () => {
    const records = read('a,b\n"x\ny\n",2\n\nlast,"say ""hi"""');
    expect(records).toEqual([
      { line: 1, cells: ["a", "b"], fault: null },
      { line: 2, cells: ["x\ny\n", "2"], fault: null },
      { line: 5, cells: [""], fault: null },
      { line: 6, cells: ["last", 'say "hi"'], fault: null },
    ]);
  });

  test("says which quotes are wrong", () => {
    const records = read('a,"b"c",d\ne,f\n"g,h\ni');
    expect(records.map(({ line, fault }) => [line, fault])).toEqual([
      [1, "stray-quote"],
      [2, null],
      [3, "unclosed-quote"],
    ]);
  });

  test("takes a line as one cell, quotes and all, without a separator", () => {
    const records = read('a,"b\n"c;d', { separator: "none", newline: "any" });
    expect(records.map(({ cells }) => cells)).toEqual([['a,"b'], ['"c;d']]);
  });

  test("gives back quoted cells, wherever the pieces are cut", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "ü", "💶") });
    const rowsOf = fc.array(fc.array(cell, { minLength: 2 }), { minLength: 1 });
    const size = fc.integer({ min: 1, max: 7 });
    fc.assert(
      fc.property(rowsOf, size, fc.constantFrom("any", "crlf"), (rows, step, newline) => {
        const end = newline === "any" ? "\n" : "\r\n";
        const lines = rows.map((cells) =>
          cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(","),
        );
        const text = lines.join(end) + end;
        const dialect: CsvDialect = { separator: ",", newline };
        const kept = (each: string) => (newline === "any" ? each.replace(/\r\n?/g, "\n") : each);
        expect(read(text, dialect).map(({ cells }) => cells)).toEqual(
          rows.map((cells) => cells.map(kept)),
        );
        expect(read(text, dialect, step)).toEqual(read(text, dialect));
      }),
    );
  });

  test("reads torn quotes as papaparse does, wherever the pieces are cut", () => {
    const text = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", " "), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 5 }), (torn, step) => {
        const whole = read(torn);
        expect(read(torn, COMMAS, step)).toEqual(whole);
        const reference = Papa.parse<string[]>(`${torn}\n`, { delimiter: ",", newline: "\n" });
        const isClosed = !reference.errors.some(({ code }) => code === "MissingQuotes");
        const rows = reference.data.slice(0, -1);
        if (isClosed && torn !== "") {
          expect(read(`${torn}\n`).map(({ cells }) => cells)).toEqual(rows);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("reads line breaks of every kind, wherever the pieces are cut", () => {
    const text = "a\r\nb\rc\n\r\r\n\r";
    for (const size of [1, 2, 3, 100]) {
      const records = read(text, COMMAS, size);
      expect(records.map(({ cells }) => cells)).toEqual([["a"], ["b"], ["c"], [""], [""], [""]]);
      expect(records.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  test.each([
    ["a line that never ends", "x".repeat(10_000_000)],
    ["a cell of 10 MB", `a,"${"x".repeat(10_000_000)}"\n`],
    ["a quote that is never closed", `"${"a.example,1\n".repeat(1_000_000)}`],
    ["nothing but separators", ",".repeat(10_000_000)],
    ["stray quotes without end", `a,"${'x"'.repeat(5_000_000)}`],
  ])("refuses %s long before its end", (_, text) => {
    const parser = new CsvParser(COMMAS);
    let given = 0;
    const pushAll = () => {
      for (let at = 0; at < text.length; at += 32_768) {
        given += 1;
        parser.push(text.slice(at, at + 32_768));
      }
    };
    expect(pushAll).toThrow(
      expect.objectContaining({
        extra: { errors: [expect.objectContaining({ code: "record-too-long" })] },
      }),
    );
    expect(given).toBeLessThan(10);
  });
});
