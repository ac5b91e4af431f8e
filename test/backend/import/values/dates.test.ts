import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { readDates } from "../../../support/read-dates.ts";

describe("readDate", () => {
  test.each([
    ["2027-01-05", "2027-01-05"],
    [" 2027-1-5 ", "2027-01-05"],
    ["2027/01/05", "2027-01-05"],
    ["2027.01.05", "2027-01-05"],
    ["2027-01-05T00:30:00+14:00", "2027-01-05"],
    ["2027-01-05T23:30:00-11:00", "2027-01-05"],
    ["2027-01-05 06:21:14", "2027-01-05"],
    ["2027/01/05 15:59 PST", "2027-01-05"],
    ["2027-01-05Z", "2027-01-05"],
    ["20270105", "2027-01-05"],
    ["20270105T000000Z", "2027-01-05"],
    ["5.1.2027", "2027-01-05"],
    ["05. 01. 2027", "2027-01-05"],
    ["5.1.2027, 23:59", "2027-01-05"],
    ["05.01.27", "2027-01-05"],
    ["26-Jan-2027", "2027-01-26"],
    ["05-Jan-27", "2027-01-05"],
    ["Jan 26, 2027", "2027-01-26"],
    ["January 5th, 2027", "2027-01-05"],
    ["Jan 05 2027", "2027-01-05"],
    ["Tue, 05 Jan 2027 07:59:00 GMT", "2027-01-05"],
    ["Tue Jan  5 00:00:00 UTC 2027", "2027-01-05"],
    ["5. März 2027", "2027-03-05"],
    ["5. Jänner 2027", "2027-01-05"],
    ["5 janvier 2027", "2027-01-05"],
    ["1er août 2027", "2027-08-01"],
    ["5 de enero de 2027", "2027-01-05"],
    ["5 gennaio 2027", "2027-01-05"],
    ["5 maart 2027", "2027-03-05"],
    ["5 de março de 2027", "2027-03-05"],
    ["2028-02-29", "2028-02-29"],
    ["31-Dec-84", "2084-12-31"],
    ["01-Jan-85", "1985-01-01"],
  ])("reads %j as %s", (cell, day) => expect(readDates([cell]).days).toEqual([day]));

  const nothing = "| |  |N/A|n/a|-|—|never|Never|none|null|0000-00-00|0000-00-00 00:00:00";
  test.each(nothing.split("|"))("reads %j as nothing said", (cell) =>
    expect(readDates([cell]).days).toEqual([null]),
  );

  const unreadable = [
    "2027-02-30|2027-13-01|2027-00-10|2026-02-29|13/13/2027|31/02/2027|0001-01-01|9999-12-31|2027",
    "Jan 2027|2027-01|5 Foo 2027|next year|2027-01-05 to 2028-01-05|05/01|1/2/3/4|99999999|-1|1e9",
    "٢٠٢٧-٠١-٠٥|=TODAY()",
    `5 ${"janvier ".repeat(1000)}2027`,
  ];
  test.each(unreadable.join("|").split("|"))("does not read %j", (cell) =>
    expect(readDates([cell, "2027-01-05"]).days[0]).toBe("unreadable"),
  );

  test("reads numbers as dates only where the whole column is such numbers", () => {
    expect(readDates(["1799107200", "", "1799193600"]).days).toEqual([
      "2027-01-05",
      null,
      "2027-01-06",
    ]);
    expect(readDates(["1799107200000", "N/A"])).toMatchObject({
      order: "milliseconds",
      days: ["2027-01-05", null],
    });
    expect(readDates(["46027", "46027.5"])).toMatchObject({
      order: "serial",
      days: ["2026-01-05", "2026-01-05"],
    });
    expect(readDates(["1799107200", "46027"]).days).toEqual(["unreadable", "unreadable"]);
    expect(readDates(["1799107200", "1799107200000"]).days).toEqual(["unreadable", "unreadable"]);
    expect(readDates(["46027", "2027-01-05"]).days).toEqual(["unreadable", "2027-01-05"]);
  });

  test("reads back every day of the calendar, however it is written", () => {
    const [min, max] = [new Date("1985-01-01"), new Date("2084-12-31")];
    const day = fc.date({ min, max, noInvalidDate: true });
    const locale = fc.constantFrom("en-US", "en-GB", "de", "fr", "es", "it", "nl", "pt");
    const style = fc.constantFrom("long" as const, "medium" as const);
    fc.assert(
      fc.property(day, locale, style, (date, where, dateStyle) => {
        const format = new Intl.DateTimeFormat(where, { dateStyle, timeZone: "UTC" });
        const words = format.format(date);
        // Italian and Dutch aside, a few locales write "medium" in numbers, day first.
        const [read] = readDates([words, "31/12/2026"]).days;
        expect({ words, read }).toEqual({ words, read: date.toISOString().slice(0, 10) });
      }),
    );
  });

  test("never throws, and gives only days of the calendar", () => {
    const cell = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^[0-9/.: T+Zjanfeb-]{0,30}$/),
    );
    const order = fc.constantFrom(null, "dmy", "mdy", "ymd");
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 5 }), order, (cells, given) => {
        for (const day of readDates(cells, given).days) {
          if (day === null || day === "unreadable") continue;
          expect(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(day);
        }
      }),
    );
  });
});
