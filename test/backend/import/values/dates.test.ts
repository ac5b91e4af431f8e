import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { DateEvidence, readDate } from "../../../../src/backend/import/values/date-order.ts";
import type { DateOrder } from "../../../../src/shared/import.ts";

/** Reads a whole column of dates: how it is read, and the day of each cell. */
function readDates(cells: readonly string[], given: DateOrder | null = null) {
  const evidence = new DateEvidence();
  for (const cell of cells) evidence.add(cell);
  const reading = evidence.decide(given);
  const days = cells.map((cell) => {
    const day = readDate(cell, reading);
    return typeof day === "object" && day !== null ? "unreadable" : day;
  });
  return { order: reading.order, days, reading };
}

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
    ["2027年04月30日", "2027-04-30"],
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

describe("DateEvidence", () => {
  test("lets one 31/12 settle a column, wherever it stands", () => {
    const cells = Array.from({ length: 3000 }, () => "05/01/2027");
    expect(readDates([...cells, "31/12/2026"])).toMatchObject({ order: "dmy" });
    expect(readDates([...cells, "12/31/2026"]).days[0]).toBe("2027-05-01");
    expect(readDates([...cells, "31/12/2026"]).days[0]).toBe("2027-01-05");
  });

  test("asks where nothing settles it", () => {
    const { order, days, reading } = readDates(["05/01/2027", "06-02-2027", "07/07/2027"]);
    expect(order).toBe("ambiguous");
    // 7 July is the same day either way.
    expect(days).toEqual(["unreadable", "unreadable", "2027-07-07"]);
    expect(reading.evidence).toEqual({ dmy: 0, mdy: 0, ymd: 0 });
  });

  test("does not ask where both orders give the same days", () => {
    expect(readDates(["05/05/2027", "06/06/2027"]).days).toEqual(["2027-05-05", "2027-06-06"]);
    expect(readDates(["05/05/2027"]).order).not.toBe("ambiguous");
  });

  test("reports contradictory evidence, and reads what only one order can", () => {
    const { order, days, reading } = readDates(["31/01/2027", "01/31/2027", "05/06/2027"]);
    expect(order).toBe("contradictory");
    expect(days).toEqual(["2027-01-31", "2027-01-31", "unreadable"]);
    expect(reading.evidence).toMatchObject({ dmy: 1, mdy: 1, ymd: 0 });
  });

  test("follows a given order, and says where a cell does not", () => {
    expect(readDates(["05/01/2027", "31/12/2026"], "mdy").days).toEqual([
      "2027-05-01",
      "unreadable",
    ]);
    expect(readDates(["05/01/2027"], "dmy")).toMatchObject({ order: "dmy", days: ["2027-01-05"] });
  });

  test("takes dots as day first unless the column shows otherwise or a person says so", () => {
    expect(readDates(["05.01.2027"])).toMatchObject({ order: "dmy", days: ["2027-01-05"] });
    expect(readDates(["05.01.2027", "12.31.2026"]).days).toEqual(["2027-05-01", "2026-12-31"]);
    expect(readDates(["05.01.2027"], "mdy").days).toEqual(["2027-05-01"]);
    expect(readDates(["05.01.2027", "01/02/2027"], "mdy").days).toEqual([
      "2027-01-05",
      "2027-01-02",
    ]);
  });

  test("takes a year of two digits in front only on a person's word, or where nothing else fits", () => {
    expect(readDates(["27-01-05"]).order).toBe("ambiguous");
    expect(readDates(["27-01-05"], "ymd").days).toEqual(["2027-01-05"]);
    expect(readDates(["99-01-05"]).days).toEqual(["1999-01-05"]);
  });

  test("takes a month of Polish that is the one before in Croatian only beside other Polish ones", () => {
    const shared = ["12. listopada 2027", "12 listopad 2027", "12 lis 2027", "12. lip 2027"];
    const unreadable = shared.map(() => "unreadable");
    expect(readDates(shared).days).toEqual(unreadable);
    expect(readDates([...shared, "5 Nov 2027", "5. svibnja 2027"]).days).toEqual([
      ...unreadable,
      "2027-11-05",
      "unreadable",
    ]);
    for (const polish of ["1 stycznia 2027", "1 paź 2027", "1 lipca 2027"]) {
      expect(readDates([...shared, polish]).days.slice(0, -1)).toEqual([
        "2027-11-12",
        "2027-11-12",
        "2027-11-12",
        "2027-07-12",
      ]);
    }
  });

  test.each([
    [["2027-01-05", "2028-01-05"], "iso"],
    [["2027/01/05"], "ymd"],
    [["Jan 5, 2027"], "words"],
    [["", "N/A"], "none"],
    [["what", "ever"], "none"],
  ] as const)("sums %j up as %s", (cells, order) => expect(readDates(cells).order).toBe(order));
});
