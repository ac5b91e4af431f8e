import { describe, expect, test } from "bun:test";
import { joinName } from "../../../../src/backend/import/reading/name-columns.ts";
import { importAll } from "../../../support/import-source.ts";

/** The two columns with the parts of the names in a file. */
async function partsOf(text: string) {
  const { analysis } = await importAll(text);
  return analysis.source.nameColumns ?? null;
}

describe("findNameColumns", () => {
  test.each([
    ["SLD,TLD,ExpDate\na,com,2027-01-05\nb,co.uk,2027-01-05\n", 0, 1],
    ["Domain,Extension\na,.com\nb,co.uk\n", 0, 1],
    ["Name,TLD\na,com\n", 0, 1],
    ["Domain Name,Ext\na,com\n", 0, 1],
    ["Domain;Endung;Ablaufdatum\nbücher;de;31.12.2027\n", 0, 1],
    ["Expires,TLD,Second-Level Domain\n2027-01-05,рф,пример\n2027-01-05,xn--p1ai,b\n", 2, 1],
    ["domainExtension\tdomainName\ncom\ta\n", 1, 0],
    ["Domain,SLD,TLD\na,a,com\nb,b,com\n", 1, 2],
    ["SLD,TLD,Website\na,com,www.a.com\n", 0, 1],
    ["SLD,TLD\na.co,uk\n", 0, 1],
    ["Domain,TLD\na,com\nb.co,uk\n", 0, 1],
    ["Domain,TLD\na,com\nb.com,com\n", 0, 1],
    ["SLD,TLD\na,com\nb,com\nc,com\nd,com\nbad one,com\ne,\n", 0, 1],
    ["Name,Domain,TLD\nAda,a,com\nBob,b,com\n", 1, 2],
  ])("finds them in %j", async (text, sld, tld) =>
    expect(await partsOf(text)).toEqual({ sld, tld, confidence: "high" }),
  );

  test.each([
    ["a name beside its suffix", "Domain,TLD\nexample.com,com\nexample.co.uk,co.uk\n"],
    ["a name beside another suffix", "Domain,TLD\nexample.com,org\nexample.net,de\n"],
    ["a name beside both", "Domain Name,SLD,TLD\na.com,a,com\nb.com,b,com\n"],
    ["any name beside both", "Name,SLD,TLD\nA.com,a,com\nb.com,b,.com\n"],
    ["no suffixes", "Domain,TLD,Notes\na,1,x\nb,2,y\n"],
    ["yes or no", "Domain,TLD\na,-\nb,\n"],
    ["labels with blanks", "Domain,TLD\nmy shop,com\nyour shop,com\n"],
    ["addresses", "Name,TLD\npat@x.com,com\n"],
    ["no header", "a,com,x.com\nb,com,y.com\n"],
    ["no header for the suffix", "Domain,Zone type\na,com\n"],
    ["a secret", "Domain,TLD code key\na,com\n"],
  ])("finds none in %s: %j", async (_, text) => expect(await partsOf(text)).toBeNull());

  test.each(["Name,Extension\nada,home\nbob,work\n", "Domain,TLD,TLD\na,com,net\n"])(
    "is not sure of %j",
    async (text) => expect(await partsOf(text)).toMatchObject({ confidence: "low" }),
  );

  test.each([
    ["dynadot", "Domain,TLD,Expiration Date,Renewal Status,Domain Note\na,com,2027/01/05,,\n"],
    [null, "Domain\na\nb.com\n"],
  ])("is not asked for the layout %p: %j", async (layout, text) => {
    const { analysis } = await importAll(text);
    expect(analysis.layout).toBe(layout);
    expect(analysis.source).not.toHaveProperty("nameColumns");
  });
});

test.each([
  ["example", "com", "example.com"],
  [" Example ", " .CO.UK ", "Example.CO.UK"],
  ["bücher", "рф", "bücher.рф"],
  ["example.co", "uk", "example.co.uk"],
  ["com", "com", "com.com"],
  ["example.com", ".COM", "example.com"],
  ["bücher.рф", "xn--p1ai", "bücher.рф"],
  ["example", " ", "example"],
  ["example", "n/a", "example"],
  ["example.co", "", "example.co.*"],
  ["", "com", ".com"],
  ["", "", ""],
])("joinName reads %j and %j as %j", (label, suffix, name) =>
  expect(joinName(label, suffix)).toBe(name),
);

describe("openFile: names in two columns", () => {
  /** The name of each row, or why there is none. */
  async function namesOf(text: string) {
    const { rows } = await importAll(text);
    return rows.map(({ name, problems }) => name?.name ?? problems.at(-1)?.detail);
  }

  test("adds a column that both make, which may mean something by itself, too", async () => {
    const text = "SLD,TLD,Client\nnorthwind,com,Ada\nBÜCHER,.Example,\nNorthwind,.com,\n";
    const { analysis, rows } = await importAll(text);
    expect(analysis.columns.at(-1)?.header).toBe("SLD + TLD");
    expect(analysis.mapping).toEqual(["ignore", "ignore", "owner", "name"]);
    expect(rows.map(({ name, repeats }) => [name?.name, repeats])).toEqual([
      ["northwind.com", null],
      ["xn--bcher-kva.example", null],
      ["northwind.com", 2],
    ]);
    // A person and what they do, or a name? Without an answer no column is the name.
    const open = await importAll("Name,Extension\nada,home\nbob,work\n");
    expect(open.analysis.ambiguous).toEqual([{ code: "no-name" }]);
    const again = await importAll(text, { mapping: ["notes", "ignore", "ignore", "name"] });
    expect(again.rows[0]).toMatchObject({
      name: { name: "northwind.com" },
      values: { notes: "northwind" },
    });
  });

  test("makes a row without one of both invalid, and says what it has", async () => {
    const text = "SLD,TLD,Expires\na,com,2027-01-05\nb,,\n,com,\n,,2027-01-05\nc.co,,\nd\n";
    const { rows } = await importAll(text);
    expect(rows.map(({ name, problems }) => name?.name ?? problems.at(-1)?.code)).toEqual([
      "a.com",
      ...Array.from({ length: 5 }, () => "invalid-name"),
    ]);
    expect(rows[4]?.problems[0]?.detail).toContain("c.co.*");
  });

  test("reads a row with too many cells by its name only, where that is in front", async () => {
    const text = 'TLD,SLD,Notes\ncom,a,one, two\ncom,b,x,,\ncom,c,"never closed\ncom,d,\n';
    const { rows } = await importAll(text);
    expect(
      rows.map(({ name, values, problems }) => [name?.name, values, problems.map((p) => p.code)]),
    ).toEqual([
      ["a.com", {}, ["too-many-cells"]],
      ["b.com", { notes: "x" }, []],
      ["c.com", {}, ["unclosed-quote"]],
    ]);
    expect(await namesOf("Notes,SLD,TLD\nx,a,com\none, two,b,com\n")).toEqual([
      "a.com",
      "Enter a domain, for example example.com.",
    ]);
  });

  test("quotes no address, and takes a formula for no name", async () => {
    const names = await namesOf(`SLD,TLD\n${"a,com\n".repeat(8)}pat@x,com\n=1+1,com\n`);
    expect(names.slice(8)).toEqual([
      "This is an e-mail address. Enter only the domain.",
      expect.stringContaining("=1+1.com"),
    ]);
  });
});
