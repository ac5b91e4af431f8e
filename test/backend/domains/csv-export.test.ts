import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { UNKNOWN_VALUES, type Domain } from "../../../src/shared/domain.ts";
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
