import { describe, expect, test } from "bun:test";
import { analyse } from "../../../../src/backend/import/columns/analyse.ts";
import { readRows } from "../../../../src/backend/import/reading/read-rows.ts";
import { fileOf, importAll, TODAY } from "../../../support/import-source.ts";

describe("readRows", () => {
  test("tells what is absent, blank, said and unreadable apart", async () => {
    const { rows } = await importAll(
      "Domain,Expires,Auto-renew\na.example,,yes\nb.example,soon,no\nc.example\n",
    );
    expect(rows[0]).toMatchObject({
      values: { autoRenew: true },
      blank: ["expires"],
      problems: [],
    });
    expect(rows[1]).toMatchObject({ values: { autoRenew: false }, blank: [] });
    expect(rows[1]?.problems).toEqual([
      {
        field: "expires",
        code: "unreadable-date",
        detail: 'Expected a date such as 2027-01-05, but got "soon"',
      },
    ]);
    expect(rows[2]).toMatchObject({ values: {}, blank: [] });
    expect(rows[2]?.problems.map(({ code }) => code)).toEqual(["too-few-cells"]);
    expect("expires" in (rows[0]?.values ?? {})).toBe(false);
  });

  test.each([
    ["https://a.example/", "without https://"],
    ["a.example/path", "without https:// or a path"],
    ["pat@a.example", "Enter only the domain"],
    ["northwind", "with its ending"],
    ["-a.example", "hyphen"],
    ["a..example", "is empty"],
    ["a_b.example", "letters, digits, hyphens"],
    ["192.0.2.1", "IP address"],
    ["", "Enter a domain"],
    [`${"a".repeat(64)}.example`, "63 characters"],
  ])("refuses the name %j with its line and the reason", async (name, reason) => {
    const { rows } = await importAll(
      `Domain,Expires\nok.example,2027-01-05\nok2.example,2027-01-05\n${name},2027-01-05\n`,
    );
    expect(rows[2]).toMatchObject({ line: 4, name: null, values: {} });
    expect(rows[2]?.problems[0]).toMatchObject({ field: "name", code: "invalid-name" });
    expect(rows[2]?.problems[0]?.detail).toContain(reason);
  });

  test("makes a cell that reads backwards a problem of its row, and quotes it harmlessly", async () => {
    const { rows } = await importAll(
      "Domain,Registrar,Owner,Notes\na.example,\u202eevil,\u200b,x\nb\u202e.example,,,\n",
    );
    expect(rows[0]?.problems).toMatchObject([{ field: "registrar" }]);
    expect(rows[0]?.problems[0]?.detail).toEndWith('but got "\\u202eevil"');
    expect(rows[0]).toMatchObject({ values: { notes: "x" }, blank: ["owner"] });
    expect(rows[1]?.problems[0]?.detail).toEndWith('("b\\u202e.example")');
  });

  test("finds repeated names, however they are spelled, and says which row was first", async () => {
    const { rows } = await importAll(
      "Domain,Expires\nMÜNCHEN.example,2027-01-05\nb.example,\n xn--mnchen-3ya.example. ,2027-01-06\nmünchen.example,\nbad,\nbad,\n",
    );
    expect(rows.map(({ line, repeats }) => [line, repeats])).toEqual([
      [2, null],
      [3, null],
      [4, 2],
      [5, 2],
      [6, null],
      [7, null],
    ]);
  });

  test("reads only the name of a row with too many cells, and all of one with blank ones more", async () => {
    const { rows } = await importAll(
      "Domain,Notes,Expires\na.example,one, two,2027-01-05\nb.example,x,2027-01-05,,\n",
    );
    expect(rows[0]).toMatchObject({ name: { name: "a.example" }, values: {} });
    expect(rows[0]?.problems.map(({ code }) => code)).toEqual(["too-many-cells"]);
    expect(rows[1]).toMatchObject({ values: { notes: "x", expires: "2027-01-05" }, problems: [] });
  });

  test("takes nothing but the name from a row whose quote swallows the rest of the file", async () => {
    const { rows } = await importAll('Domain,Notes\na.example,"never closed\nb.example,x\n');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ line: 2, name: { name: "a.example" }, values: {} });
    expect(rows[0]?.problems.map(({ code }) => code)).toEqual(["unclosed-quote"]);
  });

  test("lets other work have its turn while it reads", async () => {
    const open = fileOf("some-name.example\n".repeat(20_000));
    const analysis = await analyse(open);
    let turns = 0;
    let reading = true;
    const work = () => {
      turns += 1;
      if (reading) setImmediate(work);
    };
    setImmediate(work);
    await Array.fromAsync(readRows(open, analysis));
    reading = false;
    expect(turns).toBeGreaterThan(5);
  });

  test("fills in what a person says for rows that say nothing", async () => {
    const defaults = { registrar: "Hoster", owner: "Pat", tags: ["import"], currency: "CHF" };
    const { rows } = await importAll(
      'Domain,Owner,Tags,Renewal price\na.example,Kim,"x, y",5\nb.example,,,5 EUR\n',
      {
        defaults,
      },
    );
    expect(rows.map(({ values }) => values)).toEqual([
      {
        registrar: "Hoster",
        owner: "Kim",
        tags: ["x", "y", "import"],
        renewal: { minor: 500, currency: "CHF", years: null },
      },
      {
        registrar: "Hoster",
        owner: "Pat",
        tags: ["import"],
        renewal: { minor: 500, currency: "EUR", years: null },
      },
    ]);
  });

  test("keeps the register's limits, with a reason", async () => {
    const long = "x".repeat(201);
    const { rows } = await importAll(
      `Domain,Registrar,Tags,Notes\na.example,${long},${long},${"x".repeat(10_001)}\nb.example,Ho\u0007ster,Client;client;CLIENT,fine\n`,
    );
    expect(rows[0]?.values).toEqual({});
    expect(rows[0]?.problems.map(({ field, code }) => [field, code])).toEqual([
      ["registrar", "unreadable-text"],
      ["tags", "unreadable-text"],
      ["notes", "unreadable-text"],
    ]);
    expect(rows[1]?.values).toEqual({ tags: ["Client"], notes: "fine" });
  });

  test("passes over blank rows and the header once more, and counts them", async () => {
    const { analysis, rows } = await importAll(
      "Domain,Expires\n\na.example,2027-01-05\n , \nDomain,Expires\nb.example,\n\n",
    );
    expect(rows.map(({ line }) => line)).toEqual([3, 6]);
    expect(analysis.counts).toEqual({ rows: 2, blank: 3, comments: 0, repeatedHeaders: 1 });
  });

  test("gives batches of the size that was asked for, and the same rows for any chunks", async () => {
    const text = `Domain,Notes\n${Array.from({ length: 1050 }, (_, at) => `a${at}.example,"x\ny ${at}"\n`).join("")}`;
    const whole = await importAll(text);
    for (const size of [1, 7, 4096]) {
      const open = fileOf(text, size);
      const analysis = await analyse(open, { today: TODAY });
      const batches = await Array.fromAsync(readRows(open, analysis, { batchSize: 100 }));
      expect(batches.map(({ length }) => length)).toEqual([
        ...Array.from({ length: 10 }, () => 100),
        50,
      ]);
      expect(batches.flat()).toEqual(whole.rows);
    }
  });

  test("refuses more rows than any register has", async () => {
    const million = async function* million() {
      const part = new TextEncoder().encode("a.example\n".repeat(10_000));
      for (let at = 0; at < 100; at += 1) yield part;
    };
    const failure = analyse(million).catch((error: unknown) => error);
    expect(await failure).toMatchObject({ code: "too-many-rows" });
  });

  test("reads a header without rows as no rows", async () => {
    const { analysis, rows } = await importAll("Domain Name,Expiration Date,Auto-renew,Status\n");
    expect(analysis.layout).toBe("godaddy");
    expect(rows).toEqual([]);
  });
});
