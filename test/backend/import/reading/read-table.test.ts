import { describe, expect, test } from "bun:test";
import { readTable } from "../../../../src/backend/import/reading/read-table.ts";
import { findFormat } from "../../../../src/backend/import/reading/table-format.ts";
import { fileOf } from "../../../support/import-source.ts";

describe("readTable", () => {
  test("hands nobody a cell that is never to be read", async () => {
    const text = "Domain,Auth code,Expires\na.example,hunter2,2027-01-05\nb.example,hunter2\n";
    const format = findFormat(text, true);
    const source = { encoding: "utf-8", format, keepLines: false, secret: [1] } as const;
    const rows = (await Array.fromAsync(readTable(fileOf(text), source))).flat();
    expect(rows).toEqual([
      { line: 2, cells: ["a.example", "", "2027-01-05"], width: 3, fault: null },
      { line: 3, cells: ["b.example", ""], width: 2, fault: "too-few-cells" },
    ]);
  });

  test("says which rows have too few or too many cells; blank ones more are no fault", async () => {
    const text = "Domain,Expires\na.example,x,y\nb.example,x,,\nc.example\nd.example,x\n";
    const format = findFormat(text, true);
    const source = { encoding: "utf-8", format, keepLines: false, secret: [] } as const;
    const rows = (await Array.fromAsync(readTable(fileOf(text), source))).flat();
    expect(rows.map(({ line, fault }) => [line, fault])).toEqual([
      [2, "too-many-cells"],
      [3, null],
      [4, "too-few-cells"],
      [5, null],
    ]);
  });
});
