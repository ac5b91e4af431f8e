import { describe, expect, test as once } from "bun:test";
import { bandsOf, listStillDue } from "../../../src/backend/reminders/crossings.ts";
import { addDays } from "../../../src/shared/day.ts";
import { test } from "../../support/both-databases.ts";
import { startReminders } from "../../support/reminders.ts";

const TODAY = "2027-02-15";

describe("bandsOf", () => {
  once("has one tightest threshold for each day, and no day twice", () => {
    const bands = bandsOf({ thresholds: [30, 7], escalation: null }, TODAY);
    const of = (days: number, autoRenew: boolean) =>
      bands
        .filter((band) => band.autoRenew === autoRenew)
        .filter(({ from, to }) => from <= addDays(TODAY, days) && addDays(TODAY, days) <= to)
        .map(({ threshold }) => threshold);
    const days = [31, 30, 8, 7, 1, 0, -1, -2, -4000];
    const lapsing = [[], [30], [30], [7], [7], [0], [-1], [-1], [-1]];
    expect(days.map((each) => of(each, false))).toEqual(lapsing);
    const renewing = days.map((each) => of(each, true));
    expect(renewing).toEqual([[], [], [], [7], [7], [7], [-1], [-1], []]);
    const escalated = bandsOf({ thresholds: [30, 7], escalation: "boss" }, TODAY);
    expect(escalated.map(({ threshold }) => threshold)).toEqual([-1, 0, 1, 7, 30, -1, 7]);
  });
});

/** A domain, 7 days before its expiry, and what a message was to say of it. */
interface Told {
  days?: number;
  threshold?: number;
  reason?: "due" | "digest";
  /** It is snoozed until then; null: acknowledged. */
  until?: string | null;
  /** The day that the message was made for, if it has moved since. */
  expiresOn?: string;
  values?: object;
}

const YESTERDAY = addDays(TODAY, -1);
const DROP = { decision: "drop", autoRenew: false };
const RENEWS = { autoRenew: true };

const STANDING: Told[] = [
  {},
  { until: TODAY, threshold: 30 },
  { values: { autoRenew: null } },
  { days: 1, threshold: 1, until: null },
  { days: 1, threshold: 1, values: { doneFor: addDays(TODAY, 1) } },
  { values: { doneFor: YESTERDAY } },
  { values: RENEWS },
  { days: -1, threshold: -1, values: RENEWS },
  { reason: "digest", values: DROP },
  { reason: "digest", days: -1 },
  { reason: "digest", days: -1, values: { ...DROP, autoRenew: null } },
];

const OVER: Told[] = [
  { expiresOn: addDays(TODAY, 6) },
  { until: null },
  { until: addDays(TODAY, 1) },
  { values: { doneFor: addDays(TODAY, 7) } },
  { values: DROP },
  { values: { soldOn: YESTERDAY } },
  { values: { soldPrice: { minor: 1, currency: null } } },
  { values: { archivedOn: YESTERDAY } },
  { threshold: 14, values: RENEWS },
  { days: -1, threshold: 7, values: RENEWS },
  { reason: "digest", expiresOn: addDays(TODAY, 6) },
  { reason: "digest", until: null },
  { reason: "digest", values: { doneFor: addDays(TODAY, 7) } },
  { reason: "digest", values: { soldOn: YESTERDAY } },
  { reason: "digest", values: { archivedOn: YESTERDAY } },
  { reason: "digest", days: -1, values: DROP },
];

describe("listStillDue", () => {
  test("keeps what is of the day to act by, may lapse and is not silenced", async () => {
    await using register = await startReminders();
    const add = async ({ days = 7, threshold = 7, reason = "due", ...told }: Told) => {
      const day = addDays(TODAY, days);
      const { id } = await register.add(`${Bun.randomUUIDv7()}.example`, day, told.values);
      const { until, expiresOn = day } = told;
      if (until !== undefined) {
        const row = { domain_id: id, expires_on: day, until, made_by_name: "", made_at: "" };
        await register.database.write((sql) => sql`insert into handled ${sql(row)}`);
      }
      return { domainId: id, expiresOn, threshold, reason };
    };
    const standing = await Promise.all(STANDING.map(add));
    const names = [...standing, ...(await Promise.all(OVER.map(add)))];
    const found = await register.database.read((sql) => listStillDue(sql, names, TODAY));
    expect(found.toSorted()).toEqual(standing.map(({ domainId }) => domainId).toSorted());
  });
});
