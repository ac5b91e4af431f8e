import { describe, expect } from "bun:test";
import type { ReminderSettings } from "../../../src/shared/reminders.ts";
import { test } from "../../support/both-databases.ts";
import { startReminders } from "../../support/reminders.ts";

/** A Monday; messages go out at 08:00 UTC. */
const at = (day: string, time = "08:00") => `${day}T${time}:00Z`;

describe("evaluateReminders", () => {
  test("tells the tightest threshold once, however long nothing ran", async () => {
    await using register = await startReminders();
    await register.add("a.example", "2027-03-02");
    const channel = await register.addChannel();
    await register.put(at("2026-12-30", "07:00"));
    expect(await register.evaluate(at("2026-12-30"))).toEqual([]);
    // 62 days are left; then 12.
    const told = await register.evaluate(at("2027-02-18"));
    expect(told).toMatchObject([
      { channel, type: "reminder.due", key: `daily:${channel}:2027-02-18` },
    ]);
    expect(told[0]?.names).toEqual(["a.example 14 due"]);
    expect(told[0]?.payload.late).toEqual({
      from: "2026-12-30T08:00:00.000Z",
      to: "2027-02-18T08:00:00.000Z",
      names: 1,
    });
    const { late } = (await register.client.json("/api/reminders")) as ReminderSettings;
    expect(late).toEqual(told[0]?.payload.late ?? null);
    for (const time of ["08:00", "08:01", "23:59"]) {
      expect(await register.evaluate(at("2027-02-18", time))).toEqual([]);
    }
    expect(await register.evaluate(at("2027-02-17"))).toEqual([]);
    expect(await register.evaluate(at("2027-02-22"))).toEqual([]);
    expect((await register.evaluate(at("2027-02-23")))[0]?.names).toEqual(["a.example 7 due"]);
    const days = ["2027-03-01", "2027-03-02", "2027-03-03", "2027-03-04"];
    const rest = [];
    for (const day of days)
      rest.push(...(await register.evaluate(at(day))).flatMap((each) => each.names));
    expect(rest).toEqual(["a.example 1 due", "a.example 0 due", "a.example -1 due"]);
  });
});
