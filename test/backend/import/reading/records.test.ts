import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  readRecords,
  type Dialect,
  type TextRecord,
} from "../../../../src/backend/import/reading/records.ts";

const COMMAS: Dialect = { separator: ",", newline: "\n" };

async function read(text: string, dialect = COMMAS, size = text.length): Promise<TextRecord[]> {
  const pieces = async function* pieces() {
    for (let at = 0; at < text.length; at += Math.max(size, 1)) yield text.slice(at, at + size);
  };
  return (await Array.fromAsync(readRecords(pieces(), dialect))).flat();
}

describe("readRecords", () => {
  test("counts lines through quoted line breaks and blank lines", async () => {
    const records = await read('a,b\n"x\ny\n",2\n\nlast,"say ""hi"""');
    expect(records).toEqual([
      { line: 1, cells: ["a", "b"], fault: null },
      { line: 2, cells: ["x\ny\n", "2"], fault: null },
      { line: 5, cells: [""], fault: null },
      { line: 6, cells: ["last", 'say "hi"'], fault: null },
    ]);
  });

  test("says which quotes are wrong", async () => {
    const records = await read('a,"b"c",d\ne,f\n"g,h\ni');
    expect(records.map(({ line, fault }) => [line, fault])).toEqual([
      [1, "stray-quote"],
      [2, null],
      [3, "unclosed-quote"],
    ]);
  });

  test("takes a line as one cell, quotes and all, without a separator", async () => {
    const records = await read('a,"b\n"c;d', { separator: "none", newline: "\n" });
    expect(records.map(({ cells }) => cells)).toEqual([['a,"b'], ['"c;d']]);
  });

  test("gives the same records wherever the pieces are cut", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "ü", "💶") });
    const size = fc.integer({ min: 1, max: 7 });
    const newline = fc.constantFrom("\n" as const, "\r\n" as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2 }), { minLength: 1 }),
        size,
        newline,
        async (rows, step, end) => {
          const quoted = rows.map((cells) =>
            cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(","),
          );
          const text = quoted.join(end) + end;
          const dialect: Dialect = { separator: ",", newline: end };
          const whole = await read(text, dialect);
          expect(whole.map(({ cells }) => cells)).toEqual(rows);
          expect(await read(text, dialect, step)).toEqual(whole);
        },
      ),
    );
  });

  test("never throws on torn quotes, wherever the pieces are cut", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", " "), maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (torn, step) => {
        expect(await read(torn, COMMAS, step)).toEqual(await read(torn));
      }),
    );
  });

  test.each([
    ["a line that never ends", "x".repeat(10_000_000)],
    ["a cell of 10 MB", `a,"${"x".repeat(10_000_000)}"\n`],
    ["a quote that is never closed", `"${"a.example,1\n".repeat(1_000_000)}`],
    ["nothing but separators", ",".repeat(10_000_000)],
    ["stray quotes without end", `a,"${'x"'.repeat(5_000_000)}`],
  ])("refuses %s long before its end", async (_, text) => {
    let given = 0;
    const pieces = async function* pieces() {
      for (let at = 0; at < text.length; at += 32_768) {
        given += 1;
        yield text.slice(at, at + 32_768);
      }
    };
    const failure = Array.fromAsync(readRecords(pieces(), COMMAS)).catch((error: unknown) => error);
    expect(await failure).toMatchObject({ name: "ImportError", code: "record-too-long" });
    expect(given).toBeLessThan(10);
  });
});
