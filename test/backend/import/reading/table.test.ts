import { expect, test } from "bun:test";
import { sampleCsv } from "../../../../src/backend/import/reading/csv.ts";
import { createTableReader } from "../../../../src/backend/import/reading/table.ts";

test("a table has no more rows than any register", () => {
  const text = `Domain\n${"a.example\n".repeat(1000)}`;
  const records = sampleCsv(text, { separator: ",", newline: "any" }, true);
  const lines = { headerLine: 1, skip: 1, columns: 1 };
  const header = ["Domain"];
  const format = { kind: "table", separator: ",", header, ...lines } as const;
  const reader = createTableReader({ format, secret: [] });
  const rows = records.slice(1);
  reader(records);
  for (let batch = 1; batch < 500; batch += 1) reader(rows);
  expect(() => reader(rows.slice(0, 1))).toThrow(
    expect.objectContaining({
      extra: { errors: [expect.objectContaining({ code: "too-many-rows" })] },
    }),
  );
});
