import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { DECISIONS, UNKNOWN_VALUES, type Domain } from "../../../src/shared/domain.ts";
import { FIELD_NAMES } from "../../../src/shared/fields.ts";
import {
  guardCell,
  listCustomNames,
  revealCell,
  toHeader,
  toLines,
} from "../../../src/backend/domains/list/csv-export.ts";
import { importAll } from "../../support/import-source.ts";

const NAME = { name: "a.example", unicode: "a.example" };
const BARE: Domain = { ...UNKNOWN_VALUES, id: "1", version: 1, ...NAME };

function fileOf(...domains: Domain[]): string {
  const customNames = listCustomNames(domains.map(({ custom }) => custom));
  return toHeader(customNames) + toLines(domains, customNames);
}

/** Texts made of what CSV, spreadsheets and our own marks trip over. */
const tricky = fc.array(fc.constantFrom(...`'=+-@＝",;\\| aü💶#0.`, "N/A", "sep="), {
  maxLength: 12,
});
const label = tricky
  .map((parts) => parts.join("").normalize("NFC").trim())
  .filter((text) => text !== "");
const trickyText = tricky.map((parts) => parts.join(""));
const notes = fc
  .array(fc.oneof(trickyText, fc.constantFrom("\n", "\r\n", "\r", "\t")), { maxLength: 4 })
  .map((parts) => parts.join(""))
  .filter((text) => text === "" || text.trim() !== "");
const fold = (tag: string) => tag.normalize("NFKC").trim().toLowerCase();
const day = fc.constantFrom("2027-01-05", "1985-01-01", "2199-12-31");
const moneyParts = {
  minor: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  currency: fc.option(fc.constantFrom("EUR", "JPY", "KWD", "USD", "XQZ")),
};
const money = fc.record(moneyParts);
const known = fc.record({
  name: fc.constantFrom("a.example", "xn--mnchen-3ya.example", "domain.name"),
  unicode: fc.constantFrom("a.example", "münchen.example"),
  registrar: fc.option(label),
  account: fc.option(label),
  owner: fc.option(label),
  tags: fc.uniqueArray(
    label.filter((tag) => fold(tag) !== ""),
    { maxLength: 4, selector: fold },
  ),
  decision: fc.option(fc.constantFrom(...DECISIONS)),
  autoRenew: fc.option(fc.boolean()),
  expires: fc.option(
    fc.record({
      date: day,
      source: fc.constantFrom("manual", "=1+1"),
      observedAt: fc.constant("2026-11-21T00:00:00.000Z"),
      conflict: fc.boolean(),
      alternatives: fc.constant<never[]>([]),
    }),
  ),
  renewal: fc.option(
    fc.record({ ...moneyParts, years: fc.option(fc.integer({ min: 1, max: 100 })) }),
  ),
  registeredOn: fc.option(day),
  status: fc.option(label),
  locked: fc.option(fc.boolean()),
  privacy: fc.option(fc.boolean()),
  nameservers: fc.uniqueArray(fc.constantFrom("ns1.a.example", "ns2.b.example", "dns3.example")),
  purchasePrice: fc.option(money),
  purchasedOn: fc.option(day),
  askingPrice: fc.option(money),
  soldPrice: fc.option(money),
  soldOn: fc.option(day),
  archivedOn: fc.option(day),
  custom: fc.dictionary(
    fc.constantFrom("Client", "Notes", "Name", "City", "Auth code", "=1", 'Cost; "centre"'),
    notes.filter((text) => text !== ""),
  ),
  notes,
});
const domain = known.map((fields): Domain => Object.assign({}, BARE, fields));

describe("writeCsv", () => {
  test("writes UTF-8 with a mark, CRLF and quotes where they are needed", async () => {
    const hosts = { nameservers: ["ns1.a.example", "ns2.a.example"] };
    const sale = { askingPrice: { minor: 120_000, currency: "EUR" }, soldOn: "2026-10-31" };
    const csv = fileOf(
      { ...BARE, autoRenew: false, tags: ["x", "y;z"], notes: 'say "hi",\nall' },
      { ...BARE, ...hosts, ...sale, custom: { Client: "Ada", "=Cost": "4711" } },
    );
    expect(csv).toBe(
      "\ufeffName,Unicode,Registrar,Account,Owner,Person,Expires,Expiry source,Auto-renew,Renewal price,Renewal currency,Renewal years,Tags,Decision," +
        "Registered on,Status,Transfer lock,Privacy,Nameservers,Purchase price,Purchase currency,Purchased on,Asking price,Asking currency,Sold price,Sold currency,Sold on,Archived on,Notes,'=Cost,Client\r\n" +
        'a.example,a.example,,,,,,,no,,,,"x;y\\;z",,,,,,,,,,,,,,,,"say ""hi"",\nall",,\r\n' +
        'a.example,a.example,,,,,,,,,,,,,,,,,"ns1.a.example;ns2.a.example",,,,1200.00,EUR,,,2026-10-31,,,4711,Ada\r\n',
    );
  });

  test.each([
    ["JPY", 1200, "1200"],
    ["KWD", 5, "0.005"],
    [null, 1450, "14.50"],
  ])("writes %p amounts in whole units", async (currency, minor, price) => {
    const csv = fileOf({ ...BARE, renewal: { minor, currency, years: 1 } });
    expect(csv).toContain(`,${price},${currency ?? ""},1,`);
  });

  test("has a column of its own for a custom field that is called as another", async () => {
    const [header = "", line = ""] = fileOf({ ...BARE, custom: { Name: "x" } }).split("\r\n");
    const named = header.split(",").filter((each) => each.includes("Name"));
    expect(named).toEqual(["\ufeffName", "Nameservers", "Name (custom)"]);
    expect(line).toEndWith(",x");
    const { rows } = await importAll(`${header}\r\n${line}\r\n`);
    expect(rows[0]?.values.custom).toEqual({ Name: "x" });
  });

  test("is read back exactly: export, then import, changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(domain, { minLength: 1, maxLength: 5 }), async (domains) => {
        const { analysis, rows } = await importAll(fileOf(...domains));
        expect(analysis).toMatchObject({ layout: "freehold", ambiguous: [] });
        const read = rows.map(({ name, values }): object => ({ name: name?.name, ...values }));
        expect(read).toEqual(domains.map(said));
        expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test("is read back exactly after a detour through a spreadsheet: semicolons and line feeds", async () => {
    const report = { source: "x", observedAt: "", conflict: false, alternatives: [] };
    const csv = fileOf({ ...BARE, expires: { date: "2027-01-05", ...report } });
    const { rows } = await importAll(csv.replaceAll(",", ";").replaceAll("\r\n", "\n"));
    expect(rows[0]?.values).toEqual({ expires: "2027-01-05" });
  });
});

const spreadsheet = fc.string({ unit: fc.constantFrom(..."'=+-@\t\r a") });

describe("guardCell", () => {
  const plain = ["=1+1", "+1", "-1", "@SUM(A1)", "＝1"];
  const hidden = ["\t=1", "\rx", "\n=1", "  =1", " \t@x", "'=1", "''=1"];
  test.each([...plain, ...hidden])("makes %j harmless", (text) => {
    expect(guardCell(text)).toBe(`'${text}`);
    expect(revealCell(guardCell(text))).toBe(text);
  });

  test.each(["", "a", "1-1", "a=b", "'quoted'", "it's"])("leaves %j alone", (text) => {
    expect(guardCell(text)).toBe(text);
    expect(revealCell(text)).toBe(text);
  });

  test("never leaves a cell that a spreadsheet would run, and is always undone", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), spreadsheet), (text) => {
        expect(guardCell(text)).not.toMatch(/^\s*[=+\-@]|^[\t\r]/);
        expect(revealCell(guardCell(text))).toBe(text);
      }),
    );
  });
});

/** What our export says of a domain: what is unknown is blank, and changes nothing. */
function said(from: Domain) {
  const all = { ...from, expires: from.expires?.date ?? null };
  const entries = FIELD_NAMES.map((field) => [field, all[field]]);
  const isBlank = (value: unknown) => ["null", '""', "[]", "{}"].includes(JSON.stringify(value));
  return Object.fromEntries(entries.filter(([, value]) => !isBlank(value)));
}
