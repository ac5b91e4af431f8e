import { describe, expect, test } from "bun:test";
import { sampleCsv } from "../../../../src/backend/import/reading/csv.ts";
import { createTableReader, type TableRow } from "../../../../src/backend/import/reading/table.ts";

const toRecords = (text: string) => sampleCsv(text, { separator: ",", newline: "any" }, true);

/** The rows below a header of as many columns as its first line has. */
function read(text: string, secret: number[] = []): TableRow[] {
  const records = toRecords(text);
  return createReader(records, secret)(records);
}

function createReader(records: ReturnType<typeof toRecords>, secret: number[] = []) {
  const header = records[0]?.cells ?? [];
  const columns = header.length;
  const format = {
    kind: "table",
    separator: ",",
    header,
    headerLine: 1,
    skip: 1,
    columns,
  } as const;
  return createTableReader({ format, secret });
}

describe("createTableReader", () => {
  test("hands out no cell that is never to be read", () => {
    const text = "Domain,Auth code,Expires\na.example,hunter2,2027-01-05\nb.example,hunter2\n";
    expect(read(text, [1])).toEqual([
      { line: 2, cells: ["a.example", "", "2027-01-05"], width: 3, fault: null },
      { line: 3, cells: ["b.example", ""], width: 2, fault: "too-few-cells" },
    ]);
  });

  test("tells which rows have too few or too many cells; more blank ones are no fault", () => {
    const text = "Domain,Expires\na.example,x,y\nb.example,x,,\nc.example\nd.example,x\n";
    expect(read(text).map(({ line, fault }) => [line, fault])).toEqual([
      [2, "too-many-cells"],
      [3, null],
      [4, "too-few-cells"],
      [5, null],
    ]);
  });

  test("refuses more rows than any register has", () => {
    const records = toRecords(`Domain\n${"a.example\n".repeat(1000)}`);
    const reader = createReader(records);
    const rows = records.slice(1);
    reader(records);
    for (let batch = 1; batch < 500; batch += 1) reader(rows);
    expect(() => reader(rows.slice(0, 1))).toThrow(
      expect.objectContaining({
        extra: { errors: [expect.objectContaining({ code: "too-many-rows" })] },
      }),
    );
  });
});
