import { describe, expect, test } from "bun:test";
import type { FileRow } from "../../../../src/backend/import/reading/parse-row.ts";
import expectations from "../../../data/registrar-exports/expected.json" with { type: "json" };
import { exportFile, importAll } from "../../../support/import-source.ts";

type ExpectedRow = readonly (string | boolean | null)[];

const { _note: _, ...files } = expectations;
const cases = Object.entries(files).map(([file, expected]) => ({
  file,
  registrar: "registrar" in expected ? expected.registrar : null,
  skip: "skipLeadingLines" in expected ? expected.skipLeadingLines : null,
  duplicates: "duplicates" in expected ? expected.duplicates : null,
  rows: expected.rows satisfies readonly ExpectedRow[],
  more: "more" in expected ? expected.more : null,
}));

describe("openFile: the registrars' exports", () => {
  test("are all here", () => expect(cases).toHaveLength(12));

  test.each(cases)("$file comes out as expected.json says", async (expected) => {
    const { analysis, rows } = await importAll(exportFile(expected.file));
    const first = rows.filter(({ repeats }) => repeats === null);

    expect(first.map(summary)).toEqual(expected.rows);
    if (expected.more !== null) expect<unknown>(first.map(more)).toEqual(expected.more);
    expect(analysis.ambiguous).toEqual([]);
    expect(analysis.registrar).toBe(expected.registrar);
    expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
    for (const { values } of rows) expect(values.registrar ?? null).toBe(expected.registrar);
    if (expected.skip !== null) expect(analysis.source.format.skip).toBe(expected.skip + 1);
    if (expected.duplicates !== null) expect(rows.length - first.length).toBe(expected.duplicates);
  });

  test("reads Sedo: the registrar and the asking price of each row", async () => {
    const { analysis, rows } = await importAll(exportFile("sedo-semicolon.csv"));
    expect(analysis.layout).toBe("sedo");
    expect(rows.map(({ name, values }) => [name?.name, values])).toEqual([
      [
        "northwind.example",
        { registrar: "Name.com, Inc.", askingPrice: { minor: 185_000, currency: "USD" } },
      ],
      ["xn--mnchen-3ya.example", { registrar: "Hoster GmbH" }],
    ]);
  });

  test("reads every kind of date, and says why where it cannot", async () => {
    const { analysis, rows } = await importAll(exportFile("edge-dates.csv"));
    expect(analysis.ambiguous).toEqual([]);
    expect(analysis.columns[1]?.dates?.order).toBe("mdy");
    const unreadable = new Set(["d08", "d09", "d10", "d12"]);
    const blank = new Set(["d13", "d14", "d15"]);
    for (const { name, values, problems } of rows) {
      const id = name?.name.slice(0, 3) ?? "";
      const day = id === "d17" ? "2026-12-31" : "2027-01-05";
      const isKnown = !unreadable.has(id) && !blank.has(id);
      expect({ id, day: values.expires }).toEqual({ id, day: isKnown ? day : undefined });
      const codes = unreadable.has(id) ? ["unreadable-date"] : [];
      expect<unknown>({ id, codes: problems.map(({ code }) => code) }).toEqual({ id, codes });
    }
  });

  test("gives up the date order of a layout where a date shows another", async () => {
    const rowsOf = async (...lines: string[]) =>
      importAll(`Domain Name,Create Date,Expire Date\n${lines.join("\n")}\n`);
    const open = "c.example,05/06/2020,05/06/2027";
    const habitual = await rowsOf(open);
    expect(habitual.analysis).toMatchObject({ layout: "namecom", ambiguous: [] });
    expect(habitual.rows[0]?.values.expires).toBe("2027-05-06");
    const dayFirst = await rowsOf("a.example,31/12/2019,05/06/2027", open);
    expect(dayFirst.analysis).toMatchObject({ layout: "namecom", ambiguous: [] });
    expect(dayFirst.rows.map(({ values }) => [values.registeredOn, values.expires])).toEqual([
      ["2019-12-31", "2027-06-05"],
      ["2020-06-05", "2027-06-05"],
    ]);
    const both = await rowsOf("a.example,31/12/2019,28/02/2027", open, "d.example,,02/28/2027");
    expect(both.analysis.ambiguous).toMatchObject([{ code: "date-order", contradictory: true }]);
  });

  test("keeps formulas and markup as data", async () => {
    const { rows } = await importAll(exportFile("edge-injection.csv"));
    expect(rows.map(({ values }) => values.notes)).toEqual([
      '=HYPERLINK("https://evil.example","x")',
      "+1+1",
      "@SUM(A1)",
      "\t=1+1",
      "<img src=x onerror=alert(1)>",
      "'); DROP TABLE domains;--",
    ]);
  });

  test("reads a name, blanks and a date on one line, in a list of names", async () => {
    const one = await importAll("alpha.example 2027-09-01");
    expect(one.rows.map(({ values }) => values)).toEqual([{ expires: "2027-09-01" }]);
    const text =
      "# mine\nalpha.example   31.12.2027\n\nbeta.example\ngamma.example Sep 1, 2027\noops\n";
    const { rows } = await importAll(text);
    expect(rows.map(({ line, name, values }) => [line, name?.name, values.expires])).toEqual([
      [2, "alpha.example", "2027-12-31"],
      [4, "beta.example", undefined],
      [5, "gamma.example", "2027-09-01"],
      [6, undefined, undefined],
    ]);
    const open = await importAll("alpha.example 01/02/2027");
    expect(open.analysis.ambiguous).toMatchObject([{ code: "date-order" }]);
    const several = await importAll("a.example b.example\nc.example 2027-09-01");
    expect(several.rows.map(({ name }) => name?.name)).toEqual([
      "a.example",
      "b.example",
      undefined,
    ]);
  });
});

function summary({ name, values }: FileRow): ExpectedRow {
  const { expires = null, autoRenew = null, renewal } = values;
  const price = renewal ? `${renewal.minor} ${renewal.currency}` : null;
  return [name?.name ?? null, expires, autoRenew, price];
}

function more({ values }: FileRow): object {
  const { expires: _1, autoRenew: _2, renewal: _3, registrar: _4, ...others } = values;
  return others;
}
