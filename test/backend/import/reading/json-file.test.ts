import { describe, expect, test } from "bun:test";
import { fileOf, importAll } from "../../../support/import-source.ts";

describe("openFile: JSON", () => {
  test("joins nested keys by dots and several values by commas, and fills what an entry lacks", async () => {
    const text = JSON.stringify({
      meta: { total: 2, tags: [] },
      data: {
        domains: [
          { name: "a.example", dates: { expires: "2027-01-05" }, tags: ["x", "y, z"], note: null },
          {
            name: "b.example",
            notes: 'a "quote", {[ and\nlines \\',
            contact: [{ email: "pat@b.example" }],
            renewal: { price: 12.5, currency: "EUR" },
          },
        ],
        errors: [{ name: "not.example" }],
      },
    });
    for (const size of [7, 65_536]) {
      const { analysis, rows } = await importAll(fileOf(`\ufeff\n${text}`, size));
      expect(analysis.columns.map(({ header, secret }) => [header, secret])).toEqual([
        ["name", false],
        ["dates.expires", false],
        ["tags", false],
        ["note", false],
        ["notes", false],
        ["contact.email", true],
        ["renewal.price", false],
        ["renewal.currency", false],
      ]);
      expect(rows.map(({ name, values }) => [name?.name, values])).toEqual([
        ["a.example", { expires: "2027-01-05", tags: ["x", "y", "z"] }],
        [
          "b.example",
          {
            notes: 'a "quote", {[ and\nlines \\',
            renewal: { minor: 1250, currency: "EUR", years: null },
          },
        ],
      ]);
    }
  });

  test.each(["utf16le", "utf16be"])("reads %s, with and without a mark", async (encoding) => {
    for (const mark of ["\ufeff", ""]) {
      const bytes = Buffer.from(`${mark}[{"name": "a.example", "note": "Größe"}]`, "utf16le");
      if (encoding === "utf16be") bytes.swap16();
      const { rows } = await importAll(fileOf(new Uint8Array(bytes)));
      expect(rows).toMatchObject([{ name: { name: "a.example" }, values: { notes: "Größe" } }]);
    }
  });

  test("keeps a list in brackets that is no JSON", async () => {
    const { rows } = await importAll("[Domain],[Expires]\na.example,2027-01-05\n");
    expect(rows).toMatchObject([{ name: { name: "a.example" } }]);
  });

  test.each([
    ["no list of domains", "[]"],
    ["no list of domains", '{"name": "a.example"}'],
    ["damaged or cut off", '[{"name": "a.example"}, {"na'],
    ["damaged or cut off", '[{"name": a.example}]'],
    ["damaged or cut off", '[{"name": "a.example"]}'],
    ["damaged or cut off", `${'{"a":'.repeat(5000)}1`],
    ["damaged or cut off", `[{${"{".repeat(40)}`],
    ["too long", `[{"name": "${"a".repeat(300_000)}"}]`],
    [
      "more than 500 columns",
      `[${Array.from({ length: 600 }, (_, at) => `{"key${at}": "a.example"}`).join()}]`,
    ],
  ])("refuses what is %s", async (reason, text) => {
    const failure = await importAll(text).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 422 });
    expect(String(failure)).toContain(reason);
  });
});
