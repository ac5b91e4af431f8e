import { describe, expect, test } from "bun:test";
import {
  parseDateInOrder,
  answeredDateQuestion,
} from "../../../src/client/import/column-mapping.ts";
import { dayInOrder } from "../../../src/backend/import/values/dates.ts";
import { columnOf, importOf } from "../../support/import-samples.ts";

describe("parseDateInOrder", () => {
  test.each([
    ["05/01/2027", "dmy", "2027-01-05"],
    ["05/01/2027", "mdy", "2027-05-01"],
    ["5.1.27", "dmy", "2027-01-05"],
    ["27-01-05", "ymd", "2027-01-05"],
    ["01/02/85", "dmy", "1985-02-01"],
    ["05/01/2027 23:59", "mdy", "2027-05-01"],
  ] as const)("reads %s as %s", (text, order, day) => {
    expect(parseDateInOrder(text, order)).toBe(day);
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
    expect(parseDateInOrder(text, order)).toBeNull();
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
        const here = parseDateInOrder(numbers.join("/"), order);
        expect([numbers, order, here]).toEqual([
          numbers,
          order,
          dayInOrder([first, second, third], order),
        ]);
      }
    }
  });
});

describe("answeredDateQuestion", () => {
  const dates = { orders: ["dmy", "mdy"] as const, contradictory: false };
  const column = columnOf("Ends", {
    field: "expires",
    samples: ["05/01/2027", "05/05/2027", "soon"],
    dates: { ...dates, orders: [...dates.orders] },
  });

  test("is the answered question, with the cells that were open", () => {
    expect(answeredDateQuestion(importOf({ columns: [column], dateOrder: "mdy" }))).toEqual({
      code: "date-order",
      column: 0,
      contradictory: false,
      orders: ["dmy", "mdy"],
      samples: ["05/01/2027"],
    });
  });

  test("is null where nobody was asked, or the file decides", () => {
    expect(answeredDateQuestion(importOf({ columns: [column] }))).toBeNull();
    const sure = columnOf("Ends", {
      field: "expires",
      dates: { orders: ["dmy"], contradictory: false },
    });
    expect(answeredDateQuestion(importOf({ columns: [sure], dateOrder: "dmy" }))).toBeNull();
  });
});
