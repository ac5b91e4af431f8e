import { describe, expect } from "bun:test";
import { listStillDue } from "../../../src/backend/reminders/crossings.ts";
import { addDays } from "../../../src/shared/day.ts";
import { test as both } from "../../support/both-databases.ts";
import { startReminders } from "../../support/reminders.ts";
import { testWith } from "../../support/test-with.ts";

const test = testWith(startReminders, both);

const TODAY = "2027-02-15";

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
  test("keeps what is of the day to act by, may lapse and is not silenced", async (register) => {
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
