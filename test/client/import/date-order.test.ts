import { describe, expect, test } from "bun:test";
import { readInOrder, settledDates } from "../../../src/client/import/date-order.ts";
import { dayInOrder } from "../../../src/backend/import/values/dates.ts";
import { columnOf, importOf } from "../../support/import-samples.ts";

describe("readInOrder", () => {
  test.each([
    ["05/01/2027", "dmy", "2027-01-05"],
    ["05/01/2027", "mdy", "2027-05-01"],
    ["5.1.27", "dmy", "2027-01-05"],
    ["27-01-05", "ymd", "2027-01-05"],
    ["01/02/85", "dmy", "1985-02-01"],
    ["05/01/2027 23:59", "mdy", "2027-05-01"],
  ] as const)("reads %s as %s", (text, order, day) => {
    expect(readInOrder(text, order)).toBe(day);
  });

  test.each([
    ["31/12/2026", "mdy"],
    ["30/02/2027", "dmy"],
    ["2027-01-05", "dmy"],
    ["05/01-2027", "dmy"],
    ["05/01/2027", "ymd"],
    ["5 January 2027", "dmy"],
    ["", "dmy"],
  ] as const)("finds no day in %p as %s", (text, order) => {
    expect(readInOrder(text, order)).toBeNull();
  });

  test("reads three numbers as the server does", () => {
    for (const numbers of [
      ["1", "2", "2027"],
      ["13", "1", "84"],
      ["1", "13", "85"],
      ["0", "1", "2027"],
    ]) {
      const [first = "", second = "", third = ""] = numbers;
      for (const order of ["dmy", "mdy", "ymd"] as const) {
        const here = readInOrder(numbers.join("/"), order);
        expect([numbers, order, here]).toEqual([
          numbers,
          order,
          dayInOrder([first, second, third], order),
        ]);
      }
    }
  });
});

describe("settledDates", () => {
  const dates = { orders: ["dmy", "mdy"] as const, contradictory: false };
  const column = columnOf("Ends", {
    field: "expires",
    samples: ["05/01/2027", "05/05/2027", "soon"],
    dates: { ...dates, orders: [...dates.orders] },
  });

  test("is the answered question, with the cells that were open", () => {
    const [question, ...more] = settledDates(importOf({ columns: [column], dateOrder: "mdy" }));
    expect(more).toEqual([]);
    expect(question).toEqual({
      code: "date-order",
      column: 0,
      contradictory: false,
      orders: ["dmy", "mdy"],
      samples: ["05/01/2027"],
    });
  });

  test("is none where nobody was asked, or the file decides", () => {
    expect(settledDates(importOf({ columns: [column] }))).toEqual([]);
    const sure = columnOf("Ends", {
      field: "expires",
      dates: { orders: ["dmy"], contradictory: false },
    });
    expect(settledDates(importOf({ columns: [sure], dateOrder: "dmy" }))).toEqual([]);
  });
});
