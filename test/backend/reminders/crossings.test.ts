import { describe, expect, test as once } from "bun:test";
import { readDomains } from "../../../src/backend/domains/list/read-domains.ts";
import { bandsOf, isStillDue, isStillDueNow } from "../../../src/backend/reminders/crossings.ts";
import { addDays } from "../../../src/shared/day.ts";
import { test } from "../../support/both-databases.ts";
import { startReminders } from "../../support/reminders.ts";
import { EVERYTHING } from "../../../src/backend/http/route.ts";

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
    expect(days.map((each) => of(each, false))).toEqual([
      [],
      [30],
      [30],
      [7],
      [7],
      [0],
      [-1],
      [-1],
      [-1],
    ]);
    const renewing = days.map((each) => of(each, true));
    expect(renewing).toEqual([[], [], [], [7], [7], [7], [-1], [-1], []]);
    const escalated = bandsOf({ thresholds: [30, 7], escalation: "boss" }, TODAY);
    expect(escalated.map(({ threshold }) => threshold)).toEqual([-1, 0, 1, 7, 30, -1, 7]);
  });
});

describe("isStillDue", () => {
  test("says the same as the condition on the tables", async () => {
    await using register = await startReminders();
    let count = 0;
    for (const days of [-1, 1, 7]) {
      for (const values of [
        {},
        { autoRenew: true },
        { decision: "drop" },
        { decision: "keep", doneFor: addDays(TODAY, days) },
        { doneFor: addDays(TODAY, days + 1) },
        { soldOn: "2026-01-01" },
        { soldPrice: { minor: 1, currency: null } },
      ]) {
        for (const until of [undefined, null, TODAY, addDays(TODAY, 1)]) {
          count += 1;
          const { id } = await register.add(`n${count}.example`, addDays(TODAY, days), values);
          if (until === undefined) continue;
          const options = { method: "PUT", json: { until } };
          await register.client.request(`/api/domains/${id}/handled`, options);
        }
      }
    }
    const thresholds = [-1, 0, 1, 7, 30];
    await register.database.write(async (sql) => {
      for (const threshold of thresholds) {
        await sql`insert into reminders (domain_id, expires_on, threshold, state, crossed_at)
          select id, expires_earliest, cast(${threshold} as integer), 'due', ${TODAY} from domains`;
      }
    });
    const { found, expected } = await register.database.read(async (sql) => {
      const rows = await sql<{ id: string; threshold: number }[]>`
        select id, threshold from reminders r join domains on domains.id = r.domain_id
        where ${isStillDueNow(sql, TODAY)}`;
      const ids = await sql<{ id: string }[]>`select id from domains`;
      const domains = await readDomains(
        sql,
        ids.map(({ id }) => id),
        EVERYTHING,
      );
      const due = domains.flatMap((domain) =>
        thresholds
          .filter((threshold) => {
            const expiresOn = domain.expires?.date ?? null;
            const name = { domainId: domain.id, expiresOn, threshold, reason: "due" as const };
            return isStillDue(domain, name, TODAY);
          })
          .map((threshold) => `${domain.id} ${threshold}`),
      );
      return { found: rows.map(({ id, threshold }) => `${id} ${threshold}`), expected: due };
    });
    expect(expected.length).toBeGreaterThan(50);
    expect(expected.length).toBeLessThan(count * thresholds.length);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });
});
