import { describe, expect, test } from "bun:test";
import { readDates } from "../../../support/read-dates.ts";

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
