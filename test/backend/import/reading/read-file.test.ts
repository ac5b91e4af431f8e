import { describe, expect, test } from "bun:test";
import { fileOf, importAll } from "../../../support/import-source.ts";

describe("openFile", () => {
  test("tells no value, a value and an unreadable one apart", async () => {
    const { rows } = await importAll(
      "Domain,Expires,Auto-renew\na.example,,yes\nb.example,soon,no\nc.example\n",
    );
    const detail = 'This date can’t be read: "soon"';
    expect(rows.map(({ values, problems }) => [values, problems])).toEqual([
      [{ autoRenew: true }, []],
      [{ autoRenew: false }, [{ field: "expires", code: "unreadable-date", detail }]],
      [{}, [expect.objectContaining({ code: "too-few-cells" })]],
    ]);
  });

  test.each(["https://a.example b.example", "pat@a.example", "northwind", "co.uk"])(
    "refuses the name %j with its line and a reason",
    async (name) => {
      const { rows } = await importAll(
        `Domain,Expires\nok.example,2027-01-05\nok2.example,2027-01-05\n${name},2027-01-05\n`,
      );
      expect(rows[2]).toMatchObject({ line: 4, name: null, values: {} });
      expect(rows[2]?.problems[0]).toMatchObject({ field: "name", code: "invalid-name" });
      expect(rows[2]?.problems[0]?.detail).toMatch(/^[A-Z].{10}/);
    },
  );

  test("reads a URL as its host, and says so without a password", async () => {
    const urls = ["https://www.a.example/shop", "http://pat:secret@b.example:8080"];
    for (const header of ["", "Website\n"]) {
      const { rows } = await importAll(`${header}${urls.join("\n")}\nc.example\n`);
      expect(rows.map(({ name }) => name?.name)).toEqual(["a.example", "b.example", "c.example"]);
      const details = rows.flatMap(({ problems }) => problems.map(({ detail }) => detail));
      expect(details).toEqual([
        `Read as a.example: "https://www.a.example/shop"`,
        "Read as b.example",
      ]);
    }
  });

  test("makes a cell that reads backwards a problem of its row, and quotes it harmlessly", async () => {
    const { rows } = await importAll(
      "Domain,Registrar,Owner,Notes\na.example,\u202eevil,\u200b,x\nb\u202e.example,,,\n",
    );
    expect(rows[0]?.problems).toMatchObject([{ field: "registrar" }]);
    expect(rows[0]?.problems[0]?.detail).toEndWith(': "\\u202eevil"');
    expect(rows[0]).toMatchObject({ values: { notes: "x" } });
    expect(rows[1]?.problems[0]?.detail).toContain("b\\u202e.example");
  });

  test("reads no registration in the future", async () => {
    const { rows } = await importAll(
      "Domain,Registered on\na.example,2198-09-27\nb.example,2020-09-27\n",
    );
    const detail = 'This day is in the future: "2198-09-27"';
    expect(rows).toMatchObject([
      { values: {}, problems: [{ field: "registeredOn", code: "future-date", detail }] },
      { values: { registeredOn: "2020-09-27" }, problems: [] },
    ]);
    expect(rows[0]?.values).toEqual({});
  });

  test("finds repeated names, however they are spelled, and says which row was first", async () => {
    const { rows } = await importAll(
      "Domain,Expires\nMÜNCHEN.example,2027-01-05\nb.example,\n xn--mnchen-3ya.example. ,2027-01-06\nmünchen.example,\nbad,\nbad,\n",
    );
    expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(rows.map(({ repeats }) => repeats)).toEqual([null, null, 2, 2, null, null]);
  });

  test("reads only the name of a row with too many cells or an open quote, and all of one with blank ones more", async () => {
    const { rows } = await importAll(
      'Domain,Notes,Expires\na.example,one, two,2027-01-05\nb.example,x,2027-01-05,,\nc.example,"never closed\nd.example,,\n',
    );
    expect(rows).toMatchObject([
      { name: { name: "a.example" }, problems: [{ code: "too-many-cells" }] },
      { values: { notes: "x", expires: "2027-01-05" }, problems: [] },
      { line: 4, name: { name: "c.example" }, problems: [{ code: "unclosed-quote" }] },
    ]);
    expect([rows[0]?.values, rows[2]?.values]).toEqual([{}, {}]);
  });

  test("opens a file once, also a large one, and lets other work run while it reads", async () => {
    let turns = 0;
    let reading = true;
    const work = () => {
      turns += 1;
      if (reading) setImmediate(work);
    };
    setImmediate(work);
    const lines = Array.from({ length: 8_000 }, (_, at) => `a${at}.example,31/12/2027,9.99 EUR\n`);
    const { rows, opened } = await importAll(`Domain,Expires,Price\n${lines.join("")}`);
    reading = false;
    expect([rows.length, opened]).toEqual([8_000, 1]);
    expect(turns).toBeGreaterThan(5);
  });

  test("fills in what a person says for rows that say nothing", async () => {
    const defaults = { registrar: "Hoster", owner: "Pat", tags: ["import"], currency: "CHF" };
    const { rows } = await importAll(
      'Domain,Owner,Tags,Renewal price\na.example,Kim,"x, y",5\nb.example,,,5 EUR\n',
      { defaults },
    );
    expect(rows.map(({ values }) => values)).toMatchObject([
      {
        registrar: "Hoster",
        owner: "Kim",
        tags: ["x", "y", "import"],
        renewal: { currency: "CHF" },
      },
      { registrar: "Hoster", owner: "Pat", tags: ["import"], renewal: { currency: "EUR" } },
    ]);
  });

  test("keeps the register's limits, with a reason", async () => {
    const long = "x".repeat(201);
    const { rows } = await importAll(
      `Domain,Registrar,Tags,Notes\na.example,${long},${long},${"x".repeat(10_001)}\nb.example,Ho\u0007ster,Client;client;CLIENT,fine\n`,
    );
    expect(rows[0]?.values).toEqual({});
    const faulty = rows[0]?.problems.map(({ field }) => field);
    expect(faulty).toEqual(["registrar", "tags", "notes"]);
    expect(rows[1]?.values).toEqual({ tags: ["Client"], notes: "fine" });
  });

  test("passes over blank rows and the header once more", async () => {
    const { rows } = await importAll(
      "Domain,Expires\n\na.example,2027-01-05\n , \nDomain,Expires\nb.example,\n\n",
    );
    expect(rows.map(({ line }) => line)).toEqual([3, 6]);
  });

  test("gives batches of 200, and the same rows for any chunks", async () => {
    const text = `Domain,Notes\n${Array.from({ length: 1050 }, (_, at) => `a${at}.example,"x\ny ${at}"\n`).join("")}`;
    const whole = await importAll(text);
    for (const size of [1, 7, 4096]) {
      const { rows, batches } = await importAll(fileOf(text, size));
      expect(batches).toEqual([200, 200, 200, 200, 200, 50]);
      expect(rows).toEqual(whole.rows);
    }
  });

  const settled = {
    expires: "2027-05-01",
    renewal: { minor: 1234, currency: "KWD", years: null },
    registeredOn: "2015-11-12",
    purchasedOn: "2016-11-12",
  };
  // A month of Polish in one of its columns tells that those of all are.
  test.each([
    ["settles", "01/05/2027", '31/12/2027,"5,678.123 KWD",12 maja 2015,31 paź 2016', [], settled],
    ["contradicts", "31/12/2027", "12/31/2027,,12. svibnja 2015,", ["date-order"], {}],
  ])("reads again where its last row %s the dates and prices of all", async (...each) => {
    const [, first, last, questions, values] = each;
    const between = "b.example,01/05/2027,1.234 KWD,12 listopada 2015,12 listopada 2016\n";
    const { analysis, rows, opened } = await importAll(
      `Domain,Expires,Renewal price,Registered,Purchase date\na.example,${first},,,\n${between.repeat(3_000)}z.example,${last}\n`,
    );
    expect<string[]>(analysis.ambiguous.map(({ code }) => code)).toEqual(questions);
    expect(rows[1]?.values).toEqual(values);
    const unread = ["expires", "registeredOn", "purchasedOn", "renewalPrice"];
    const problems = rows[1]?.problems.map(({ field }) => field);
    expect<unknown>(problems).toEqual(questions.length > 0 ? unread : []);
    expect(opened).toBe(2);
  });

  test("reads a header without rows as no rows", async () => {
    const { analysis, rows } = await importAll("Domain Name,Expiration Date,Auto-renew,Status\n");
    expect(analysis.layout).toBe("godaddy");
    expect(rows).toEqual([]);
  });
});
