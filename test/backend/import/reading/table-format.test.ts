import { describe, expect, test } from "bun:test";
import { sampleCsv } from "../../../../src/backend/import/reading/csv.ts";
import { createTableReader } from "../../../../src/backend/import/reading/table.ts";
import { findFormat as find } from "../../../../src/backend/import/reading/table-format.ts";
import { importAll } from "../../../support/import-source.ts";

const findFormat = (text: string) => find(text, true);

describe("findFormat", () => {
  test.each([
    [",", "Domain,Expires\na.example,2027-01-05\n"],
    [";", "Domain;Expires\na.example;2027-01-05\n"],
    ["\t", "Domain\tExpires\na.example\t2027-01-05\n"],
    ["|", "Domain|Expires\na.example|2027-01-05\n"],
    [";", 'Domain;Notes\na.example;"one, two, three, four"\nb.example;"five, six"\n'],
  ] as const)("finds the separator %j", async (separator, text) =>
    expect(await findFormat(text)).toMatchObject({ separator, skip: 1, columns: 2 }),
  );

  test.each([
    ["sep=;\nDomain;Expires\na.example;2027-01-05\n", 2],
    ['"sep=;"\nDomain;Expires\na.example;2027-01-05\n', 2],
    [
      "Please note that the renewal prices are estimates; expiry dates too.\nDomain;Expires\na.example;2027-01-05\n",
      2,
    ],
    [
      "Export of 2026-11-21\n\nAccount;12345\nOwner;Agency, Ltd\n\nDomain;Expires;Notes\na.example;2027-01-05;\n",
      6,
    ],
    [`${"preamble\n".repeat(29)}Domain;Expires\na.example;2027-01-05\n`, 30],
  ])("finds the header below %j", async (text, skip) =>
    expect(await findFormat(text)).toMatchObject({ separator: ";", skip }),
  );

  test("takes a header in words of its own where the first name follows it", async () => {
    const { header } = await findFormat("Domän;Utgång;Pris\na.example;2027-01-05;12\n");
    expect(header).toEqual(["Domän", "Utgång", "Pris"]);
  });

  const words = "a.example,2027-01-05,notes,domain,x,y,z\n";
  test.each([
    ["without a header", "a.example,2027-01-05,yes\nb.example,2027-02-06,no\n"],
    ["with words in it that are headers elsewhere", words + words.replace("a.", "b.")],
    [
      "beside nameservers",
      "a.example,ns1.h.example,ns2.h.example\nb.example,ns1.h.example,ns2.h.example\n",
    ],
  ])("takes the names of a table %s", async (_, text) => {
    const { analysis, rows } = await importAll(text);
    expect(analysis.source.format).toMatchObject({ separator: ",", header: null, skip: 0 });
    expect(rows.map(({ name }) => name?.name)).toEqual(["a.example", "b.example"]);
  });

  test.each([
    ["a.example\nb.example\nc.example", "one on each line"],
    ["a.example, b.example, c.example", "commas"],
    ["a.example b.example\tc.example", "blanks"],
    ['"a.example";"b.example"\nc.example;', "quotes"],
    ["# mine\n\na.example\n  b.example  \nc.example", "comments"],
    ["Domain\na.example\nb.example\nc.example\n", "a header"],
    ["My names\na.example b.example\nc.example\n", "a title"],
    ["a.example\r\nb.example\rc.example", "mixed line breaks"],
  ])("reads the bare list %j: %s", async (text) => {
    const { analysis, rows } = await importAll(text);
    expect(analysis.source.format.separator).toBe("none");
    expect(rows.map(({ name }) => name?.name)).toEqual(["a.example", "b.example", "c.example"]);
  });

  test("keeps a bad line of a list as an invalid row with its line", async () => {
    const { rows } = await importAll(
      "a.example\nnorthwind\nb.example\nhello, dear reader\nc.example\n",
    );
    expect(rows.map(({ line, name }) => [line, name?.name ?? null])).toEqual([
      [1, "a.example"],
      [2, null],
      [3, "b.example"],
      [4, null],
      [4, null],
      [5, "c.example"],
    ]);
  });

  test("takes names that read like headers for names", async () => {
    const { rows } = await importAll("domain.name\nnotes.example\n");
    expect(rows.map(({ name }) => name?.name)).toEqual(["domain.name", "notes.example"]);
  });

  test.each([
    ["", "empty-file"],
    [" \n\t\n", "empty-file"],
    ["Dear all,\nplease find attached.\n", "no-names"],
    ['[{"domain":"a.example"}]', "no-names"],
    ["1,2,3\n4,5,6\n", "no-names"],
    [`Domain${",Expires".repeat(600)}\n`, "too-many-columns"],
  ])("refuses %j as %s", async (text, code) => {
    expect(await findFormat(text).catch((error: unknown) => error)).toMatchObject({
      extra: { errors: [{ code }] },
    });
  });
});

test("createTableReader keeps no more cells of a short row than it has", () => {
  const format = { separator: ",", header: null, skip: 0, columns: 500 } as const;
  const nameColumns = { sld: 0, tld: 1, confidence: "high" } as const;
  const reader = createTableReader({ format, secret: [2], nameColumns });
  const [row] = reader([{ line: 1, cells: ["a", "example"], fault: null }]);
  expect(row).toMatchObject({ cells: ["a", "example"], width: 2, fault: "too-few-cells" });
});

test("createTableReader reads no more rows than any register has", async () => {
  const text = `Domain\n${"a.example\n".repeat(1000)}`;
  const records = sampleCsv(text, { separator: ",", newline: "any" }, true);
  const format = { ...(await findFormat(text)), separator: "," } as const;
  const reader = createTableReader({ format, secret: [] });
  const rows = records.slice(1);
  reader(records);
  for (let batch = 1; batch < 500; batch += 1) reader(rows);
  expect(() => reader(rows.slice(0, 1))).toThrow("more than 500,000 rows");
});
