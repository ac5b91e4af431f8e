import { describe, expect, test } from "bun:test";
import { dayIn, nextRun, weekOf } from "../../../src/backend/reminders/reminder-settings.ts";

/** The runs after a minute of UTC, one after the other. */
type Row = [timeZone: string, hour: number, from: string, runs: string, quietDays?: number[]];

const RUNS: Row[] = [
  // Summer time begins: 02:00 is left out, then the hour in UTC is another.
  ["Europe/Berlin", 2, "2026-03-28T12:00", "2026-03-29T01:00 2026-03-30T00:00"],
  // It ends: 02:00 comes twice.
  ["Europe/Berlin", 2, "2026-10-24T12:00", "2026-10-25T00:00 2026-10-26T01:00"],
  // Half hours.
  ["America/St_Johns", 8, "2026-03-07T12:00", "2026-03-08T10:30 2026-03-09T10:30"],
  ["America/St_Johns", 8, "2026-10-31T12:00", "2026-11-01T11:30 2026-11-02T11:30"],
  // The day that Samoa left out: 30 December 2011.
  ["Pacific/Apia", 8, "2011-12-28T20:00", "2011-12-29T18:00 2011-12-30T18:00 2011-12-31T18:00"],
  ["UTC", 0, "2026-12-31T00:00", "2027-01-01T00:00 2027-01-02T00:00"],
  // Quiet days are passed over: 20 November 2026 is a Friday.
  ["UTC", 8, "2026-11-20T07:59", "2026-11-20T08:00 2026-11-23T08:00 2026-11-24T08:00", [6, 7]],
];

describe("nextRun", () => {
  test.each(RUNS)("comes once a day in %s at %d", (timeZone, hour, from, runs, quietDays = []) => {
    let last = `${from}Z`;
    for (const run of runs.split(" ")) {
      last = nextRun(new Date(last), { timeZone, hour, quietDays });
      expect(last).toBe(`${run}:00.000Z`);
    }
  });
});

test("a day and its week are those of the time zone", () => {
  const now = new Date("2026-12-31T23:30:00Z");
  const days = ["Europe/Berlin", "UTC", "Pacific/Apia"].map((zone) => dayIn(zone, now));
  expect(days).toEqual(["2027-01-01", "2026-12-31", "2027-01-01"]);
  const weeks = ["2026-12-31", "2027-01-03", "2027-01-04"].map(weekOf);
  expect(weeks).toEqual(["2026-W53", "2026-W53", "2027-W01"]);
});
