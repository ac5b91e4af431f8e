import { describe, expect, test } from "bun:test";
import { fileOf, importAll } from "../../../support/import-source.ts";
import { workbookOf, zipOf } from "../../../support/zip.ts";

const WORKBOOKS = new URL("../../../data/workbooks/", import.meta.url);
const cell = (text: string, at = "") =>
  `<c ${at && `r="${at}"`} t="inlineStr"><is><t>${text}</t></is></c>`;
const NAMES = `<row>${cell("a.example")}</row>`;

const PART = { name: "xl/workbook.xml", content: "<workbook/>" };
const shared = (texts: string) => ({ "xl/sharedStrings.xml": `<sst>${texts}</sst>` });
const sharedText = (length: number) => `<si><t>${"x".repeat(length)}</t></si>`;
const sheets = (count: number) => ({ "xl/workbook.xml": `<sheets>${"<sheet/>".repeat(count)}` });
const DOCTYPE = `<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>`;

/** Made on demand: some have hundreds of megabytes before they are packed. */
const refused: readonly [string, string, () => Uint8Array][] = [
  ["nothing but empty rows", "No domain names", () => workbookOf("<row/>".repeat(200_000))],
  ["endless sheets", "too large", () => workbookOf(NAMES, sheets(540_000))],
  ["an endless text", "too large", () => workbookOf(" ".repeat(5_000_000))],
  [
    // Less than 32 M characters, but for those that each text counts beside its own.
    "endless shared texts",
    "too large",
    () => workbookOf(NAMES, shared(sharedText(100).repeat(325_000))),
  ],
  [
    "one shared text in every cell",
    "too large",
    () =>
      workbookOf(`<row>${'<c t="s"><v>0</v></c>'.repeat(400)}</row>`, shared(sharedText(30_000))),
  ],
  [
    "10,000 columns",
    "more than 500 columns",
    () => workbookOf(`<row>${"<c><v>1</v></c>".repeat(10_000)}</row>`),
  ],
  [
    "more parts than any workbook has",
    "too large",
    () => zipOf([PART, ...Array.from({ length: 10_001 }, (_, at) => ({ ...PART, name: `${at}` }))]),
  ],
  ["an encrypted part", "has a password", () => zipOf([{ ...PART, bits: 1 }])],
  ["another archive", "not an Excel workbook", () => zipOf([{ name: "a", content: "b" }])],
  ["half of a workbook", "damaged", () => workbookOf(NAMES).subarray(0, 300)],
  ["broken XML", "damaged", () => workbookOf("<row><c></row>")],
  ["a row beyond the last", "damaged", () => workbookOf(`<row r="99999999"/>`)],
  ["rows that go backwards", "damaged", () => workbookOf(`<row r="5"/><row r="2"/>`)],
  ["an entity", "damaged", () => workbookOf("", { "xl/worksheets/sheet1.xml": DOCTYPE })],
  ["no rows", "is empty", () => workbookOf("")],
];

describe("openFile: Excel workbooks", () => {
  test("reads the sheet with the names: days, numbers, flags, formulas, blank and rich cells", async () => {
    const file = Bun.file(new URL("portfolio.xlsx", WORKBOOKS));
    const { analysis, rows } = await importAll(() => file.stream());
    expect(analysis.columns.map(({ header }) => header)).toEqual(
      "Domain,Expires,Auto-renew,Renewal price,Registrar,Notes,Password".split(","),
    );
    expect(analysis.columns.at(-1)).toMatchObject({ secret: true, samples: [] });
    expect(rows.map(({ name, values }) => [name?.unicode, values])).toEqual([
      [
        "northwind.example",
        {
          expires: "2027-01-05",
          autoRenew: true,
          renewal: { minor: 1899, currency: "EUR", years: null },
          registrar: "Gandi",
          notes: 'Two lines:\nfirst, "second"',
        },
      ],
      [
        "münchen.example",
        {
          expires: "2027-02-28",
          autoRenew: false,
          renewal: { minor: 125_000, currency: "EUR", years: null },
          registrar: "Gandi",
        },
      ],
      [
        "harbor.example",
        {
          expires: "2027-03-01",
          autoRenew: true,
          renewal: { minor: 5697, currency: "EUR", years: null },
          notes: "7",
        },
      ],
    ]);
  });

  test("reads prefixed XML, missing references, 1904 days, and lines as the sheet counts them", async () => {
    const day = `<x:c s="0" t="n"><x:v>44200</x:v></x:c>`;
    const text = (value: string) => `<x:c t="str"><x:v>${value}</x:v></x:c>`;
    const sheet = `<x:row r="3">${text("Domain")}${text("Expires")}</x:row>
      <x:row r="5">${text("a.example")}${day}</x:row>`;
    const { rows } = await importAll(
      fileOf(
        workbookOf("", {
          "xl/workbook.xml": `<x:workbook xmlns:x="x" xmlns:r="r"><x:workbookPr date1904="1"/><x:sheets>
            <x:sheet state="hidden" r:id="r0"/><x:sheet r:id="r1"/></x:sheets></x:workbook>`,
          "xl/styles.xml": `<x:styleSheet xmlns:x="x"><x:cellXfs><x:xf numFmtId="14"/></x:cellXfs></x:styleSheet>`,
          "xl/worksheets/sheet1.xml": `<x:worksheet xmlns:x="x">${sheet}</x:worksheet>`,
        }),
        100,
      ),
    );
    expect(rows).toMatchObject([
      { line: 5, name: { name: "a.example" }, values: { expires: "2025-01-05" } },
    ]);
  });

  test("takes the language of a number for no currency", async () => {
    const sheet = `<row>${["Domain", "Renewal price", "Years"].map((text) => cell(text)).join("")}</row>
      <row>${cell("a.example")}<c s="1"><v>20</v></c><c s="0"><v>2</v></c></row>`;
    const format = (id: number, code: string) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`;
    const { rows } = await importAll(
      fileOf(
        workbookOf(sheet, {
          "xl/styles.xml": `<styleSheet><numFmts>${format(164, "[$-407]0")}${format(165, "[$-407]0.00 [$€-407]")}</numFmts>
            <cellXfs><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
        }),
      ),
    );
    const renewal = { minor: 2000, currency: "EUR", years: 2 };
    expect(rows).toMatchObject([{ values: { renewal } }]);
  });

  test("passes over a cover sheet whose first column is empty", async () => {
    const cover = `<row r="1">${cell("Summary", "B1")}</row><row r="2">${cell("All names", "B2")}</row>`;
    const names = `<row r="1">${cell("Domain", "A1")}${cell("Expires", "B1")}</row>
      <row r="2">${cell("a.example", "A2")}${cell("2027-01-05", "B2")}</row>`;
    const relation = (id: number) =>
      `<Relationship Id="r${id}" Target="worksheets/sheet${id}.xml"/>`;
    const { rows } = await importAll(
      fileOf(
        workbookOf(cover, {
          "xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet r:id="r1"/><sheet r:id="r2"/></sheets></workbook>`,
          "xl/_rels/workbook.xml.rels": `<Relationships>${relation(1)}${relation(2)}</Relationships>`,
          "xl/worksheets/sheet2.xml": `<worksheet><sheetData>${names}</sheetData></worksheet>`,
        }),
      ),
    );
    expect(rows).toMatchObject([
      { name: { name: "a.example" }, values: { expires: "2027-01-05" } },
    ]);
  });

  test.each(refused)("refuses %s", async (_, reason, content) => {
    const failure = await importAll(fileOf(content())).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 422 });
    expect(String(failure)).toContain(reason);
  });
});
