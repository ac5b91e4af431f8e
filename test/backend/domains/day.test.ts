import { describe, expect, test } from "bun:test";
import { isDay } from "../../../src/backend/domains/day.ts";

describe("isDay", () => {
  test.each(["2027-02-28", "2028-02-29", "2000-02-29", "1985-01-01", "2199-12-31"])(
    "knows %s",
    (text) => expect(isDay(text)).toBe(true),
  );

  test.each([
    "2027-02-29",
    "2027-02-30",
    "2100-02-29",
    "2027-13-01",
    "2027-00-10",
    "2027-01-00",
    "2027-1-1",
    "27-01-01",
    "2027-01-01T00:00:00Z",
    " 2027-01-01",
    "2027-01-01\n",
    "1984-12-31",
    "2200-01-01",
    "9999-12-31",
    "２０２７-01-01",
    "",
  ])("refuses %j", (text) => expect(isDay(text)).toBe(false));
});
