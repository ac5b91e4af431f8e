import { describe, expect, test } from "bun:test";
import { joinName } from "../../../../src/backend/import/reading/name-parts.ts";
import { importAll } from "../../../support/import-source.ts";

describe("joinName", () => {
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
    ["example.co", "", "example.co.?"],
    ["", "com", ".com"],
    ["", "", ""],
  ])("reads %j and %j as %j", (label, suffix, name) => expect(joinName(label, suffix)).toBe(name));
});

describe("readRows of names in two columns", () => {
  /** The name of each row, or why there is none. */
  async function namesOf(text: string) {
    const { rows } = await importAll(text);
    return rows.map(({ name, problems }) => name?.name ?? problems.at(-1)?.detail);
  }

  test("makes a row without one of both invalid, and says what it has", async () => {
    const text = "SLD,TLD,Expires\na,com,2027-01-05\nb,,\n,com,\n,,2027-01-05\nc.co,,\nd\n";
    const { rows } = await importAll(text);
    const details = rows.map(({ line, problems }) => [
      line,
      problems.map(({ detail }) => detail).join("; "),
    ]);
    expect(details).toEqual([
      [2, ""],
      [3, 'Enter the domain with its ending, for example example.com. ("b")'],
      [4, 'Part of the name between two dots is empty. (".com")'],
      [5, "Enter a domain, for example example.com."],
      [6, expect.stringContaining('("c.co.?")')],
      [
        7,
        "This row has fewer cells than the file has columns; Enter the domain with its ending, for example example.com.",
      ],
    ]);
  });

  test("finds repeated names, however their two parts are spelled", async () => {
    const { rows } = await importAll(
      "SLD,TLD\nMÜNCHEN,example\nb,example\nxn--mnchen-3ya,.EXAMPLE\nmünchen.example,example\n",
    );
    expect(rows.map(({ line, repeats }) => [line, repeats])).toEqual([
      [2, null],
      [3, null],
      [4, 2],
      [5, 2],
    ]);
  });

  test("reads a row with too many cells by its name only, where that is in front", async () => {
    const { rows } = await importAll("TLD,SLD,Notes\ncom,a,one, two\ncom,b,x,,\n");
    expect(rows).toMatchObject([
      { name: { name: "a.com" }, values: {}, problems: [{ code: "too-many-cells" }] },
      { name: { name: "b.com" }, values: { notes: "x" }, problems: [] },
    ]);
    expect(await namesOf("Notes,SLD,TLD\nx,a,com\none, two,b,com\n")).toEqual([
      "a.com",
      "Enter a domain, for example example.com.",
    ]);
  });

  test("takes nothing but the name from a row whose quote swallows the rest of the file", async () => {
    const { rows } = await importAll('SLD,TLD,Notes\na,com,x\nb,com,"never closed\nc,com,\n');
    expect(rows.map(({ name, values }) => [name?.name, values])).toEqual([
      ["a.com", { notes: "x" }],
      ["b.com", {}],
    ]);
  });

  test("quotes no address, and takes a formula for no name", async () => {
    const names = await namesOf(`SLD,TLD\n${"a,com\n".repeat(8)}pat@x,com\n=1+1,com\n`);
    expect(names.slice(8)).toEqual([
      "Enter only the domain, without https:// or a path.",
      'That isn\'t a valid domain. Use letters, digits, hyphens and dots. ("=1+1.com")',
    ]);
  });
});
