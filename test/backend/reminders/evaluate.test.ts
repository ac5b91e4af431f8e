import { join } from "node:path";
import { describe, expect } from "bun:test";
import { addDays } from "../../../src/shared/day.ts";
import type { Domain } from "../../../src/shared/domain.ts";
import { parseDeliveries, type ReminderSettings } from "../../../src/shared/reminders.ts";
import { writeBackup } from "../../../src/backend/backup/backup.ts";
import { restoreBackup } from "../../../src/backend/backup/restore.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { removeSetting } from "../../../src/backend/database/setting-store.ts";
import { evaluateReminders } from "../../../src/backend/reminders/evaluate.ts";
import { resumeChannel } from "../../../src/backend/reminders/deliveries.ts";
import { findChannel } from "../../../src/backend/reminders/channel-store.ts";
import type { Payload } from "../../../src/backend/reminders/payload.ts";
import { readState, saveState } from "../../../src/backend/reminders/reminder-settings.ts";
import { reading, startAccounts } from "../../support/accounts.ts";
import { startBackend } from "../../support/backend-server.ts";
import { test as both } from "../../support/both-databases.ts";
import { addDomain, changeMany, undoOperation } from "../../support/domains.ts";
import { expectAnswer } from "../../support/expect-answer.ts";
import { importFile } from "../../support/import-client.ts";
import { joinAs } from "../../support/people.ts";
import { startReminders, type ReminderRegister, type Told } from "../../support/reminders.ts";
import { testWith } from "../../support/test-with.ts";

const test = testWith(startReminders);
const testBoth = testWith(startReminders, both);

/** Messages go out at 08:00 UTC. */
const at = (day: string, time = "08:00") => `${day}T${time}:00Z`;

const namesOf = (told: readonly Told[]) => told.flatMap(({ names }) => names);

/** Evaluates each day at 08:00; the names that were told, by day. */
async function days(register: ReminderRegister, from: string, count: number) {
  const told: Record<string, string[]> = {};
  for (let day = Temporal.PlainDate.from(from), left = count; left > 0; left -= 1) {
    const names = namesOf(await register.evaluate(at(String(day))));
    if (names.length > 0) told[String(day)] = names;
    day = day.add({ days: 1 });
  }
  return told;
}

/** What channels are told on days of March 2027 at 08:00: `6 boss his.example 14 due`. */
async function inMarch(register: ReminderRegister, dates: number[], who: Record<string, string>) {
  const told: string[] = [];
  for (const date of dates) {
    const messages = await register.evaluate(at(`2027-03-${String(date).padStart(2, "0")}`));
    for (const { channel, names } of messages) {
      told.push(...names.map((name) => `${date} ${who[channel] ?? "other"} ${name}`));
    }
  }
  return told;
}

const handle = (register: ReminderRegister, { id }: Domain, until: string | null) =>
  register.client.put(`/api/domains/${id}/handled`, { until });

/** Imports a table of names and their expiry, at an instant. */
async function bring({ client, database }: ReminderRegister, rows: string[], instant: string) {
  const lines = ["Domain,Expires,Auto-renew", ...rows.map((row) => `${row},off`)];
  await importFile(client, lines.join("\n"));
  await database.write(
    (sql) => sql`update no_news set at = ${instant}
      where operation = (select max(operation) from no_news)`,
  );
}

describe("evaluateReminders", () => {
  test("tells the tightest threshold once, however long nothing ran", async (register) => {
    await register.add("a.example", "2027-03-02");
    const channel = await register.addChannel();
    await register.put(at("2026-12-30", "07:00"));
    expect(await register.evaluate(at("2026-12-30"))).toEqual([]);
    // 62 days are left; then 12.
    const told = await register.evaluate(at("2027-02-18"));
    const key = `daily:${channel}:2027-02-18`;
    expect(told).toMatchObject([{ channel, type: "reminder.due", key }]);
    expect(told[0]?.names).toEqual(["a.example 14 due"]);
    const late = { from: "2026-12-30T08:00:00.000Z", to: "2027-02-18T08:00:00.000Z", names: 1 };
    expect(told[0]?.payload.late).toEqual(late);
    const settings = (await register.client.json("/api/reminders")) as ReminderSettings;
    expect(settings).toMatchObject({ late, nextAt: "2027-02-19T08:00:00.000Z" });
    for (const time of ["08:00", "08:01", "23:59"]) {
      expect(await register.evaluate(at("2027-02-18", time))).toEqual([]);
    }
    expect(await register.evaluate(at("2027-02-17"))).toEqual([]);
    expect(await days(register, "2027-02-17", 20)).toEqual({
      "2027-02-23": ["a.example 7 due"],
      "2027-03-01": ["a.example 1 due"],
      "2027-03-02": ["a.example 0 due"],
      "2027-03-03": ["a.example -1 due"],
      // The first of the week, after it was told.
      "2027-03-08": ["a.example -1 digest"],
    });
  });

  test("tells a moved expiry anew, and the one before it never again", async (register) => {
    const domain = await register.add("a.example", "2027-03-08");
    await register.addChannel();
    await register.put(at("2026-12-01", "07:00"), { thresholds: [30] });
    expect(await days(register, "2027-02-04", 3)).toEqual({ "2027-02-06": ["a.example 30 due"] });
    await register.change(domain.id, { expires: "2028-03-08" });
    const [digest] = await register.evaluate(at("2027-02-08"));
    expect(digest).toBeUndefined();
    await register.change(domain.id, { expires: "2027-02-25" });
    expect(await days(register, "2027-02-09", 2)).toEqual({ "2027-02-09": ["a.example 30 due"] });
    await register.change(domain.id, { expires: "2027-03-08" });
    expect(await days(register, "2027-02-11", 3)).toEqual({});
  });

  test("tells a weekly channel what moves back after the week in which it moved", async (register) => {
    const { id } = await register.add("a.example", "2027-03-10");
    const [daily, weekly] = [
      await register.addChannel(),
      await register.addChannel({ rhythm: "weekly" }),
    ];
    await register.put(at("2027-02-01", "07:00"), { thresholds: [30] });
    const who = { [daily]: "daily", [weekly]: "weekly" };
    // 8 March 2027 is a Monday.
    await register.evaluate(at("2027-03-01"));
    await register.change(id, { expires: "2027-04-05" });
    expect(await inMarch(register, [6], who)).toEqual(["6 daily a.example 30 due"]);
    await register.change(id, { expires: "2028-04-05" });
    expect(await inMarch(register, [8], who)).toEqual([]);
    await register.change(id, { expires: "2027-04-05" });
    expect(await inMarch(register, [9, 15, 22], who)).toEqual(["15 weekly a.example 30 due"]);
  });

  test("counts what was crossed before it began, and tells what comes closer", async (register) => {
    for (const day of [10, 18, 19, 20, 21, 25]) {
      await register.add(`n${day}.example`, `2027-03-${day}`);
    }
    await register.addChannel();
    await register.put(at("2027-02-15", "07:00"), { thresholds: [60, 30] });
    const [told] = await register.evaluate(at("2027-02-15"));
    expect(told?.type).toBe("reminder.due");
    expect(told?.names).toHaveLength(6);
    expect(told?.names[0]).toBe("n10.example 30 baseline");
    expect(await days(register, "2027-02-16", 2)).toEqual({
      "2027-02-16": ["n18.example 30 due"],
      "2027-02-17": ["n19.example 30 due"],
    });
    await register.put(at("2027-02-17", "09:00"), { thresholds: [60, 35, 30] });
    const [changed] = await register.evaluate(at("2027-02-18"));
    expect(changed?.names).toEqual([
      "n20.example 30 due",
      "n25.example 35 due",
      "n21.example 35 baseline",
    ]);
  });

  test("names what expired and is nearest at first, and counts the furthest", async (register) => {
    for (let index = 0; index < 45; index += 1) {
      const left = index < 17 ? -5 * index - 5 : index * 2 - 34;
      await register.add(`n${index}.example`, addDays("2027-02-15", left));
    }
    await register.addChannel();
    await register.put(at("2027-02-15", "07:00"), { thresholds: [60] });
    const [first, told] = await register.evaluate(at("2027-02-15"));
    expect(first?.names).toEqual(["n17.example 0 baseline"]);
    const named = Array.from({ length: 38 }, (_, index) => `n${index}.example`);
    const isNamed = (_: string, index: number) => index <= 8 || index >= 18;
    expect(told?.names.map((name) => name.split(" ")[0]).toSorted()).toEqual(
      named.filter(isNamed).toSorted(),
    );
    const more = [{ threshold: 60, reason: "baseline", names: 7 }];
    expect(told?.payload).toMatchObject({ more, longExpired: 8 });
  });

  test("counts in a digest all that was renewed, more than a message has too", async (register) => {
    const { database, add, addCopies, addChannel, put, evaluate } = register;
    await addCopies(await add("a.example", "2027-02-15"), 520, "2027-02-15");
    const channel = await addChannel();
    await put(at("2027-02-08", "07:00"));
    await evaluate(at("2027-02-08"));
    const renewed = { expires_on: "2028-02-15", expires_earliest: "2028-02-15" };
    await database.write((sql) => sql`update domains set ${sql(renewed)}`);
    await add("b.example", "2027-02-25");
    const [digest] = await evaluate(at("2027-02-15"));
    const message = digest && (await register.render(channel, digest));
    expect(message?.title).toBe("b.example expires in 10 days");
    expect(message?.settledNotes).toEqual([expect.stringMatching(/^Renewed: .* and 511 more\.$/)]);
  });

  test("counts what expired long ago although it was to renew", async (register) => {
    const renewing = { autoRenew: true };
    await register.add("recent.example", "2027-02-10", renewing);
    await register.add("old.example", "2027-02-01", renewing);
    await register.add("older.example", "2026-06-01", renewing);
    await register.add("dropped.example", "2027-02-01", { ...renewing, decision: "drop" });
    await register.add("done.example", "2027-02-01", { ...renewing, doneFor: "2027-02-01" });
    await register.addChannel();
    await register.put(at("2027-02-15", "07:00"));
    const [first] = await register.evaluate(at("2027-02-15"));
    expect(first?.names).toEqual(["recent.example -1 baseline", "dropped.example -1 digest"]);
    expect(first?.payload.overdue).toBe(2);
  });

  test("counts what imports have brought after one dated a year ahead", async (register) => {
    const { addChannel, put, evaluate } = register;
    await addChannel();
    await put(at("2027-02-15", "07:00"), { thresholds: [30] });
    await bring(register, ["a.example,2027-03-01"], at("2028-02-15", "07:30"));
    expect(namesOf(await evaluate(at("2027-02-16")))).toEqual(["a.example 30 baseline"]);
    await bring(register, ["b.example,2027-03-01"], at("2027-02-16", "12:00"));
    expect(namesOf(await evaluate(at("2027-02-17")))).toEqual(["b.example 30 baseline"]);
    // One that was seen while the clock was ahead does not hide those that come once it is right.
    await bring(register, ["other.example,2029-03-01"], at("2028-02-14"));
    await evaluate(at("2028-02-15"));
    await bring(register, ["c.example,2027-03-01"], at("2027-02-17", "12:00"));
    await evaluate(at("2027-02-17", "13:00"));
    expect(namesOf(await evaluate(at("2027-02-18")))).toEqual(["c.example 30 baseline"]);
    // Of two that are dated ahead, the second one was not seen before the clock was set right.
    await bring(register, ["d.example,2027-03-01"], at("2027-02-18", "12:00"));
    await evaluate(at("2027-02-17", "09:00"));
    expect(namesOf(await evaluate(at("2027-02-19")))).toEqual(["d.example 30 baseline"]);
  });

  test("counts the lists that an earlier version left unseen, and no others", async (register) => {
    const { addChannel, change, database, put, evaluate } = register;
    await addChannel();
    await put(at("2027-02-01", "07:00"), { thresholds: [30] });
    await bring(register, ["seen.example,2029-03-01"], at("2027-02-12", "12:00"));
    const [seen] = await database.read((sql) => sql<{ id: string }[]>`select id from domains`);
    const id = seen?.id ?? "";
    await bring(register, ["new.example,2027-03-09"], at("2027-02-14", "12:00"));
    // That version left lists their instants, and noted the last one that it had seen, here before a clock
    // was set back and thresholds changed.
    await database.write(async (sql) => {
      const state = await readState(sql);
      const seenAt = { noNewsSeen: at("2027-02-12", "12:00"), baselineAt: at("2027-02-05") };
      if (state !== null) await saveState(sql, { ...state, ...seenAt });
    });
    await change(id, { expires: "2027-03-10" });
    const names = ["seen.example 30 due", "new.example 30 baseline"];
    expect(namesOf(await evaluate(at("2027-02-15")))).toEqual(names);
    // What a list brought is news on a day that a person types after the list was seen.
    await change(id, { expires: "2027-03-11" });
    expect(namesOf(await evaluate(at("2027-02-16")))).toEqual(["seen.example 30 due"]);
    // A list that was seen can be restored from a backup.
    const backup = join(register.server.folder, "backup.tar");
    await writeBackup(database, backup);
    const copy = await openDatabase(`sqlite://${join(register.server.folder, "copy.sqlite")}`);
    await restoreBackup(copy, backup).finally(() => copy.close());
  });

  test("counts the names that are accepted from an account, as if imported", async () => {
    await using house = await startAccounts();
    const { id } = await house.add("A");
    const listed = ["a", "b", "c"].map((name) => {
      return { name: `${name}.example`, expires: "2027-03-20", autoRenew: false };
    });
    house.readings.set("A", reading(listed));
    await house.read(id, "2027-03-01T08:00:00Z");
    await house.client.put("/api/reminders", { thresholds: [30] });
    await house.step();
    expect((await house.post(id, "accept", { all: true, expectedCount: 3 })).status).toBe(200);
    await addDomain(house.client, { name: "typed.example", expires: "2027-03-20" });
    const noon = "2027-03-01T12:00:00.000Z";
    await house.server.write((sql) => sql`update no_news set at = ${noon}`);
    house.time.now = Date.parse("2027-03-02T12:00:00Z");
    await house.step();
    const recorded = await house.server.read(
      (sql) => sql`select name, state from reminders join domains on domains.id = domain_id
        order by name`,
    );
    expect([...recorded]).toEqual([
      { name: "a.example", state: "baseline" },
      { name: "b.example", state: "baseline" },
      { name: "c.example", state: "baseline" },
      { name: "typed.example", state: "due" },
    ]);
  });

  testBoth("tells each operation once to a channel that asks for changes", async (register) => {
    const first = await register.add("a.example", null, { tags: ["x"] });
    const quiet = await register.addChannel();
    const asking = await register.addChannel({ changes: true, filter: "tag=x" });
    await register.put(at("2027-02-01", "09:00"));
    expect(await register.evaluate(at("2027-02-01", "09:01"))).toEqual([]);
    await register.change(first.id, { notes: "new" });
    await register.add("b.example", null);
    const told = await register.evaluate(at("2027-02-01", "09:02"));
    const payload = { changedBy: "ada@example.com", more: [] };
    expect(told).toMatchObject([{ channel: asking, type: "domain.changed", payload }]);
    expect(namesOf(told)).toEqual(["a.example null digest"]);
    expect(await register.evaluate(at("2027-02-01", "09:03"))).toEqual([]);
    // What was changed while the clock was ahead keeps nothing that comes after it from being told.
    for (const minute of ["09:03", "09:04", "09:05"]) {
      await register.change(first.id, { notes: minute });
      if (minute === "09:03") {
        await register.database.write(
          (sql) => sql`update changes set at = '2099-01-01T00:00:00.000Z'
            where id = (select max(id) from changes)`,
        );
      }
      const next = await register.evaluate(at("2027-02-01", minute));
      expect([minute, namesOf(next)]).toEqual([minute, ["a.example null digest"]]);
    }
    // One that begins to ask is told from then on, before the next evaluation too.
    for (const id of [asking, quiet]) await register.client.delete(`/api/channels/${id}`);
    await register.evaluate(at("2027-02-01", "09:04"));
    const late = { kind: "mail", name: "Late", target: "a@b.example", changes: true };
    await register.client.post("/api/channels", late);
    await register.change(first.id, { notes: "newer" });
    const last = await register.evaluate(at("2027-02-01", "09:05"));
    expect(namesOf(last)).toEqual(["a.example null digest"]);
  });

  test("tells what renews by itself twice, and what is dropped in digests", async (register) => {
    await register.add("renews.example", "2027-03-10", { autoRenew: true });
    await register.add("drop.example", "2027-03-10", { decision: "drop" });
    const unsure = { decision: "drop", autoRenew: null };
    const { id } = await register.add("unsure.example", "2027-03-10", unsure);
    await register.add("sold.example", "2027-03-10", { soldOn: "2026-01-01" });
    await register.add("kept.example", "2027-03-10", { decision: "keep" });
    await register.add("unknown.example", null);
    await register.addChannel();
    await register.put(at("2027-02-01", "07:00"), { thresholds: [14] });
    // 1 March is a Monday.
    expect(await register.evaluate(at("2027-02-22"))).toEqual([]);
    const told = await days(register, "2027-02-23", 22);
    expect(told).toEqual({
      "2027-02-24": ["kept.example 14 due"],
      "2027-03-01": ["drop.example 14 digest", "unsure.example 14 digest"],
      "2027-03-03": ["renews.example 7 due"],
      "2027-03-08": ["drop.example 14 digest", "unsure.example 14 digest"],
      "2027-03-10": ["kept.example 0 due", "unsure.example 0 digest"],
      "2027-03-11": ["kept.example -1 due", "renews.example -1 due", "unsure.example -1 digest"],
      "2027-03-15": ["kept", "renews", "unsure"].map((name) => `${name}.example -1 digest`),
    });
    await register.change(id, { autoRenew: false });
    expect(await days(register, "2027-03-22", 1)).toEqual({
      "2027-03-22": ["kept.example -1 digest", "renews.example -1 digest"],
    });
  });

  test("keeps quiet days, the rhythm and the filter of each channel", async (register) => {
    await register.add("a.example", "2027-04-03", { tags: ["x"] });
    await register.add("b.example", "2027-04-05");
    const daily = await register.addChannel({ filter: "tag=x" });
    const weekly = await register.addChannel({ rhythm: "weekly" });
    await register.put(at("2027-02-01", "07:00"), { thresholds: [14], quietDays: [6, 7] });
    // 20 March, on which a.example has 14 days left, is a Saturday, as is the quiet 27th.
    const dates = [1, 19, 20, 21, 22, 23, 26, 27, 29, 30];
    expect(await inMarch(register, dates, { [daily]: "daily", [weekly]: "weekly" })).toEqual([
      "22 daily a.example 14 due",
      "22 weekly a.example 14 due",
      "22 weekly b.example 14 due",
    ]);
  });

  testBoth("heeds what people acknowledge and snooze", async (register) => {
    const known = await register.add("known.example", "2027-03-20");
    const later = await register.add("later.example", "2027-03-20");
    await register.addChannel();
    await register.put(at("2027-02-01", "07:00"), { thresholds: [30, 14, 1] });
    expect(await days(register, "2027-02-18", 1)).toEqual({
      "2027-02-18": ["known.example 30 due", "later.example 30 due"],
    });
    const acknowledged = { expiresOn: "2027-03-20", until: null, by: "ada@example.com" };
    const saved = await (await handle(register, known, null)).json();
    expect(saved).toMatchObject({ handled: acknowledged });
    expect((await handle(register, later, "2027-03-20")).status).toBe(400);
    for (const day of ["2027-02-17", "2027-02-18"]) {
      await expectAnswer(handle(register, later, day), 400, "Choose a day after today.");
      const op = { kind: "handle", until: day };
      expect((await changeMany(register.client, { ids: [later.id] }, op)).status).toBe(400);
    }
    expect((await handle(register, later, "2027-03-10")).status).toBe(200);
    for (const [query, name] of [
      ["acknowledged&today=2027-03-01", "known"],
      ["snoozed&today=2027-03-01", "later"],
      ["open&today=2027-03-10", "later"],
    ]) {
      const page = await register.client.json(`/api/domains?handled=${query}`);
      expect(page).toMatchObject({ total: 1, items: [{ name: `${name}.example` }] });
    }
    const history = await register.client.json(`/api/domains/${known.id}/history`);
    expect(history).toMatchObject({
      items: [{ action: "edited", fields: [{ field: "handled" }] }, {}],
    });
    // 6 March is the 14th day before.
    expect(await days(register, "2027-03-05", 17)).toEqual({
      "2027-03-10": ["later.example 14 due"],
      "2027-03-19": ["known.example 1 due", "later.example 1 due"],
      "2027-03-20": ["known.example 0 due", "later.example 0 due"],
      "2027-03-21": ["known.example -1 due", "later.example -1 due"],
    });

    await register.change(known.id, { expires: "2027-05-01" });
    expect(await days(register, "2027-04-01", 1)).toEqual({
      "2027-04-01": expect.arrayContaining(["known.example 30 due"]),
    });
    const op = { kind: "handle", until: "2027-04-20" };
    const bulk = await changeMany(register.client, { ids: [known.id, later.id] }, op);
    const { operation, ...done } = await bulk.json();
    expect(done).toMatchObject({ matched: 2, changed: 1 });
    await undoOperation(register.client, operation);
    expect(await register.client.json(`/api/domains/${known.id}`)).toMatchObject({ handled: null });
    await handle(register, known, "2027-04-20");
    await register.client.delete(`/api/domains/${known.id}/handled`);
    expect(await register.client.json(`/api/domains/${known.id}`)).toMatchObject({ handled: null });
  });

  testBoth("passes on what nobody reacts to", async (register) => {
    const quiet = await register.add("quiet.example", "2027-03-20");
    await register.add("open.example", "2027-03-20");
    const first = await register.addChannel({ filter: "tag=none" });
    const boss = await register.addChannel({ filter: "tag=none" });
    await register.addChannel();
    await register.put(at("2027-02-01", "07:00"), { thresholds: [14], escalation: boss });
    const who = { [first]: "first", [boss]: "boss" };
    const before = await inMarch(register, [5, 6], who);
    await handle(register, quiet, null);
    const told = [...before, ...(await inMarch(register, [8, 9, 10, 13, 19, 20, 22], who))];
    expect(told.filter((line) => !line.includes(" other "))).toEqual([
      "9 boss open.example 14 due",
      "19 first open.example 1 due",
      "19 first quiet.example 1 due",
      "19 boss open.example 1 due",
      "19 boss quiet.example 1 due",
    ]);
    await register.client.delete(`/api/channels/${boss}`);
    expect(await register.client.json("/api/reminders")).toMatchObject({ escalation: null });
  });

  test("passes on what nobody reacts to among more names than a message has", async (register) => {
    const boss = await register.addChannel();
    await register.put(at("2027-02-01", "07:00"), { thresholds: [30, 14], escalation: boss });
    const lonely = await register.add("lonely.example", "2027-03-20");
    await register.addCopies(lonely, 520, "2027-03-21");
    await days(register, "2027-02-18", 2);
    await days(register, "2027-03-06", 2);
    await register.addCopies(lonely, 600, "2027-04-08");
    const [told] = await register.evaluate(at("2027-03-09"));
    expect(told?.names[0]).toBe("lonely.example 14 due");
    expect(told?.payload).toMatchObject({
      names: { length: 500 },
      more: [{ threshold: 30, reason: "due", names: 101 }],
    });
    // More than a message has are counted.
    const [next] = await register.evaluate(at("2027-03-10"));
    expect(next?.payload).toMatchObject({
      names: { length: 500 },
      more: [{ threshold: 14, reason: "due", names: 20 }],
    });
  });

  test("tells a channel of a person’s domains alone, and others what it is not told", async (register) => {
    const { add, change, addChannel } = register;
    const ben = await joinAs(register.server, { email: "ben@example.com", name: "Ben" });
    const eve = await joinAs(register.server, { email: "eve@example.com", name: "Eve" });
    const his = await add("his.example", "2027-03-20", { person: ben.id, tags: ["x"] });
    const hers = await add("hers.example", "2027-03-20", { person: eve.id, tags: ["x"] });
    await add("nobodys.example", "2027-03-20");
    const boss = await addChannel({ person: ben.id, changes: true });
    const weekly = await addChannel({ person: eve.id, rhythm: "weekly" });
    await addChannel({ filter: "tag=none" });
    await register.put(at("2027-02-01", "07:00"), { thresholds: [14], escalation: boss });
    for (const { id } of [his, hers]) await change(id, { notes: "new" });
    const told = await inMarch(register, [6, 9, 10, 19], { [boss]: "boss", [weekly]: "hers" });
    expect(told.toSorted()).toEqual([
      "19 boss his.example 1 due",
      "19 hers hers.example 1 due",
      "19 other hers.example 1 due",
      "19 other his.example 1 due",
      "19 other nobodys.example 1 due",
      "6 boss his.example 14 due",
      "6 boss his.example null digest",
      "6 hers hers.example 14 due",
      "9 boss his.example 14 due",
      "9 hers hers.example 14 due",
      "9 other hers.example 14 due",
      "9 other nobodys.example 14 due",
    ]);
    const patch = (person: string | null) =>
      register.client.patch(`/api/channels/${boss}`, { person });
    expect((await patch(Bun.randomUUIDv7())).status).toBe(400);
    expect(await (await patch(eve.id)).json()).toMatchObject({ person: eve.id });
    expect(await (await patch(null)).json()).toMatchObject({ person: null });
  });

  testBoth("tells a channel of a limited viewer what they see alone", async (register) => {
    const limit = { owners: ["Acme"] };
    const ben = await joinAs(register.server, { email: "b@example.com", role: "viewer", limit });
    const purchasePrice = { minor: 777_777, currency: "EUR" };
    const hidden = { account: "planted-account", notes: "planted-notes", purchasePrice };
    const add = (name: string, owner: string) =>
      register.add(name, "2027-03-20", { owner, person: ben.id, ...hidden });
    const own = await add("own.example", "Acme");
    const other = await add("planted.example", "planted-owner");
    const follows = await register.addChannel({ person: ben.id, changes: true });
    const escalation = await register.addChannel({ person: ben.id });
    await register.put(at("2027-02-01", "07:00"), { thresholds: [14], escalation });
    const told: string[] = [];
    const evaluate = async (when: string) => {
      const messages = await register.evaluate(when);
      for (const { channel: id, type, payload, names } of messages) {
        told.push(...names);
        const message = JSON.stringify(await register.render(id, { type, payload }));
        expect(message).toContain("own.example");
        expect(message).not.toMatch(/planted|777777/);
      }
      return messages.filter(({ channel }) => channel === follows);
    };
    // Hidden fields alone are no news.
    await register.change(own.id, { notes: "planted-later" });
    for (const { id } of [own, other]) await register.change(id, { tags: ["seen"] });
    expect(await evaluate(at("2027-02-01", "09:00"))).toHaveLength(1);
    for (const day of ["06", "09", "19", "22"]) await evaluate(at(`2027-03-${day}`));
    expect(told).toContain("own.example 14 due");
    expect(told).toContain("own.example 1 due");
    expect(new Set(told.map((line) => line.split(" ")[0]))).toEqual(new Set(["own.example"]));
  });

  testBoth("tells critical findings at once, once, and when they end", async (register) => {
    const domain = await register.add("a.example", null, { owner: "Ada" });
    const dropped = await register.add("b.example", null, { decision: "drop" });
    const find = (domain_id: string, code: string) => {
      const row = { domain_id, code, severity: 0, since: at("2027-02-01"), evidence: "" };
      return register.database.write((sql) => sql`insert into findings ${sql(row)}`);
    };
    await find(domain.id, "client-hold");
    await find(dropped.id, "client-hold");
    // That one is on hold is explained by its expiry.
    await register.add("past.example", "2027-01-31", { status: "clientHold" });
    await register.add("ahead.example", "2027-06-01", { status: "clientHold" });
    await register.put(at("2027-02-01", "09:00"));
    expect(await register.evaluate(at("2027-02-01", "09:00"))).toEqual([]);
    await register.addChannel();
    const opened = await register.evaluate(at("2027-02-01", "09:01"));
    expect(opened).toMatchObject([
      {
        type: "finding.opened",
        names: ["a.example client-hold due", "ahead.example registrar-on-hold due"],
      },
    ]);
    await find(domain.id, "redemption");
    expect(await register.evaluate(at("2027-02-01", "09:02"))).toEqual([]);
    expect(await register.evaluate(at("2027-02-01", "09:07"))).toMatchObject([
      { type: "finding.opened", names: ["a.example redemption due"] },
    ]);
    // The filter of one asks for what is over then.
    for (const filter of ["finding=redemption&owner=Ada", "finding=critical&owner=Bob"]) {
      await register.addChannel({ filter });
    }
    await register.database.write((sql) => sql`delete from findings`);
    const closed = await register.evaluate(at("2027-02-01", "10:00"));
    expect(closed).toMatchObject([
      { type: "finding.closed", names: ["a.example client-hold due", "a.example redemption due"] },
      { type: "finding.closed", names: ["a.example redemption due"] },
    ]);
    expect(await register.evaluate(at("2027-02-01", "11:00"))).toEqual([]);
    // What the registrar says needs no live check.
    await changeMany(register.client, { ids: [domain.id] }, { kind: "edit", status: "Gekündigt" });
    expect(await register.evaluate(at("2027-02-01", "12:00"))).toMatchObject([
      { type: "finding.opened", names: ["a.example registrar-cancelled due"] },
    ]);
  });

  testBoth("tells a first address at once what is nearest, the rest in time", async (register) => {
    await register.add("today.example", "2027-02-01");
    await register.add("tomorrow.example", "2027-02-02");
    await register.add("later.example", "2027-02-10");
    await register.put(at("2027-02-01", "21:00"));
    expect(await register.evaluate(at("2027-02-01", "21:01"))).toEqual([]);
    const first = await register.addChannel({ rhythm: "weekly" });
    await register.addChannel({ filter: "q=later" });
    const names = ["today.example 0 baseline", "tomorrow.example 1 baseline"];
    expect(await register.evaluate(at("2027-02-01", "21:02"))).toMatchObject([
      { channel: first, type: "reminder.due", names },
    ]);
    await register.addChannel();
    expect(await register.evaluate(at("2027-02-01", "21:03"))).toEqual([]);
    const [next] = await register.evaluate(at("2027-02-02"));
    expect(next?.names).toEqual([
      "tomorrow.example 0 due",
      "today.example -1 due",
      "later.example 14 baseline",
    ]);
  });

  test("tells it at once after a restore, after years with a list each day", async (register) => {
    const { database, add, addChannel, put, evaluate } = register;
    const [before, after] = [at("2027-02-15", "07:00"), at("2027-03-01", "07:00")];
    await add("today.example", "2027-02-15");
    await add("later.example", "2027-03-01");
    await addChannel();
    await put(before);
    expect(namesOf(await evaluate(before))).toEqual(["today.example 0 baseline"]);
    const lists = Array.from({ length: 1200 }, (_, index) => {
      return { operation: Bun.randomUUIDv7(), at: at(addDays("2023-01-01", index)) };
    });
    await database.write(async (sql) => {
      await insertRows(sql, "no_news", lists);
      await removeSetting(sql, "reminders state");
    });
    expect(namesOf(await evaluate(after))).toEqual(["later.example 0 baseline"]);
  });

  test("tells nothing twice at once after a restore", async (register) => {
    await register.add("a.example", "2027-02-17");
    await register.addChannel();
    await register.put(at("2027-02-01", "07:00"), { thresholds: [30, 1] });
    // 15 February 2027 is a Monday: weekly channels are not told of it on the 16th.
    expect(await days(register, "2027-02-15", 2)).toMatchObject({
      "2027-02-16": ["a.example 1 due"],
    });
    await register.database.write((sql) => removeSetting(sql, "reminders state"));
    expect(await register.evaluate(at("2027-02-16", "12:00"))).toEqual([]);
    expect(namesOf(await register.evaluate(at("2027-02-17")))).toEqual(["a.example 0 due"]);
  });

  test("merges what waited into the message sent again, each domain once", async (register) => {
    const rows = Array.from({ length: 520 }, (_, place) => `n${place}.example,2027-03-20`);
    await bring(register, rows, at("2026-12-01"));
    await register.addChannel();
    await register.put(at("2027-02-01", "07:00"), { thresholds: [30, 14] });
    await register.evaluate(at("2027-02-18"));
    await register.evaluate(at("2027-03-06"));
    const { items } = parseDeliveries(await register.client.json("/api/deliveries"));
    const [later, first] = items;
    expect(items).toHaveLength(2);
    await register.database.write(async (sql) => {
      await sql`update deliveries set state = 'dead', due_at = null where id = ${first?.id ?? ""}`;
      await sql`update channels set state = 'broken'`;
    });
    const path = `/api/deliveries/${first?.id}/retry`;
    const again = await register.client.json(path, { method: "POST" });
    expect(again).toMatchObject({ id: first?.id, state: "pending" });
    const stored = await register.database.read(
      (sql) => sql<{ id: string; state: string; payload: string }[]>`
        select id, state, payload from deliveries order by id`,
    );
    expect(stored[1]).toMatchObject({ id: later?.id, state: "cancelled" });
    const { names, more }: Payload = JSON.parse(stored[0]?.payload ?? "");
    expect(names).toHaveLength(500);
    expect(more).toEqual([{ threshold: 14, reason: "due", names: 20 }]);
  });

  test("keeps what no channel asks for until one does", async (register) => {
    await register.add("beta.example", "2027-03-20", { owner: "Beta" });
    await register.add("acme.example", "2027-03-20", { owner: "Acme" });
    await register.add("soon.example", "2027-02-18", { owner: "Beta" });
    await register.put(at("2027-02-01", "07:00"), { thresholds: [30] });
    await register.addChannel({ filter: "owner=Acme" });
    await register.addChannel({ filter: "owner=Acme", rhythm: "weekly" });
    // At noon, the first channels hear of what does not wait.
    expect(await register.evaluate(at("2027-02-17", "12:00"))).toEqual([]);
    expect(await days(register, "2027-02-18", 2)).toEqual({
      "2027-02-18": ["acme.example 30 due"],
    });
    await register.addChannel();
    expect(await days(register, "2027-02-20", 2)).toEqual({
      "2027-02-20": ["soon.example -1 due", "beta.example 30 due"],
    });
    await register.addChannel({ rhythm: "weekly" });
    expect(await days(register, "2027-02-22", 10)).toEqual({
      "2027-02-22": [
        "acme.example 30 due",
        "soon.example -1 digest",
        "soon.example -1 due",
        "acme.example 30 due",
        "beta.example 30 due",
      ],
      "2027-03-01": ["soon.example -1 digest", "soon.example -1 digest"],
    });
  });

  test("tells the next channel what reached no one of a removed channel", async (register) => {
    await register.put(at("2026-12-01"));
    const remove = (id: string) => register.client.delete(`/api/channels/${id}`);
    const wrong = await register.addChannel();
    await register.add("a.example", "2026-12-15");
    expect(namesOf(await register.evaluate(at("2026-12-02")))).toEqual(["a.example 14 due"]);
    await remove(wrong);
    const right = await register.addChannel();
    expect(namesOf(await register.evaluate(at("2026-12-03")))).toEqual(["a.example 14 due"]);
    await register.database.write(
      (sql) => sql`update channels set last_sent_at = ${at("2026-12-03", "08:01")}`,
    );
    await remove(right);
    const broken = await register.addChannel();
    expect(await register.evaluate(at("2026-12-04"))).toEqual([]);
    expect(namesOf(await register.evaluate(at("2026-12-08")))).toEqual(["a.example 7 due"]);
    await register.evaluate(at("2026-12-08", "12:00"));
    await register.addChannel();
    await remove(broken);
    expect(namesOf(await register.evaluate(at("2026-12-09")))).toEqual(["a.example 7 due"]);
  });

  test("counts no domain twice in what messages of a paused channel become", async (register) => {
    await register.add("a.example", "2027-03-02");
    await register.add("b.example", "2027-03-15");
    const id = await register.addChannel();
    await register.put(at("2027-02-20", "07:00"));
    const told = await days(register, "2027-02-20", 17);
    expect(told["2027-03-08"]).toEqual(["b.example 7 due", "a.example -1 digest"]);
    const merged = await register.database.write(async (sql) => {
      const channel = await findChannel(sql, id);
      await resumeChannel(sql, channel, new Date(at("2027-03-08", "12:00")));
      return sql<{ payload: string }[]>`select payload from deliveries where state = 'pending'`;
    });
    expect(merged.map(({ payload }): unknown => JSON.parse(payload))).toMatchObject([
      { names: [{ reason: "due" }, { reason: "digest" }], more: [] },
    ]);
  });

  test("costs a channel nothing for what is not due", async (register) => {
    const domain = await register.add("a.example", "2029-03-20");
    for (let each = 0; each < 8; each += 1) await register.addChannel();
    await register.put(at("2027-02-01", "07:00"));
    /** Processor time of the shortest of some daily runs that tell nothing, from a Tuesday on. */
    const measure = async (tuesday: string) => {
      const runs: number[] = [];
      for (let each = 0; each < 5; each += 1) {
        const now = new Date(at(addDays(tuesday, each)));
        const began = process.cpuUsage();
        await register.database.write((sql) => evaluateReminders.run(sql, { now }));
        const { user, system } = process.cpuUsage(began);
        runs.push(user + system);
      }
      return Math.min(...runs);
    };
    const before = await measure("2027-02-02");
    await register.addCopies(domain, 15_000, "2029-03-21");
    expect((await measure("2027-02-09")) / before).toBeLessThan(4);
  });

  test("goes on in UTC where the time zone is no longer known", async (register) => {
    await register.add("a.example", "2027-01-20");
    await register.addChannel();
    await register.put(at("2027-01-01", "07:00"), { timeZone: "Europe/Berlin" });
    await register.database.write(
      (sql) => sql`update settings set value = replace(value, 'Europe/Berlin', 'Europe/Atlantis')
        where name = 'reminders'`,
    );
    expect((await register.client.request("/api/summary")).status).toBe(200);
    expect(await register.client.json("/api/reminders")).toMatchObject({ timeZone: "UTC" });
    expect(await register.evaluate(at("2027-01-02"))).toHaveLength(1);
    expect((await register.put(at("2027-01-02"), { timeZone: "Europe/Paris" })).status).toBe(200);
  });

  test("refuses settings that nobody can keep", async (register) => {
    for (const choice of [
      { timeZone: "Mars/Olympus" },
      { quietDays: [1, 2, 3, 4, 5, 6, 7] },
      { escalation: Bun.randomUUIDv7() },
    ]) {
      expect((await register.put(at("2027-02-01"), choice)).status).toBe(400);
    }
    const off = { timeZone: "UTC", hour: 8, thresholds: [60, 30, 14, 7, 1], nextAt: null };
    expect(await register.client.json("/api/reminders")).toMatchObject(off);
    const berlin = { timeZone: "Europe/Berlin", thresholds: [3, 9, 3] };
    const response = await register.put(at("2027-02-01"), berlin);
    const nextAt = "2027-02-02T07:00:00.000Z";
    expect(await response.json()).toMatchObject({ thresholds: [9, 3], nextAt });
  });
});

test("what expires reaches a webhook by itself, and the heartbeat beats", async () => {
  const asked: string[] = [];
  await using receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(`${request.method} ${pathname} ${(await request.text()).includes("a.example")}`);
      return new Response();
    },
  });
  let now = new Date(at("2027-02-15", "07:00"));
  const heartbeatUrl = `${receiver.url}beat`;
  const reminders = { allow: ["127.0.0.0/8"], heartbeatUrl, pollMs: 20 };
  await using server = await startBackend({ clock: () => now, reminders });
  const client = await server.owner();
  await addDomain(client, { name: "a.example", expires: "2027-03-01" });
  const json = { kind: "webhook", name: "Hook", target: `${receiver.url}hook` };
  await client.json("/api/channels", { method: "POST", json });
  expect(await client.json("/api/summary")).toMatchObject({
    reminders: { on: false, channels: 1, broken: [] },
  });
  await client.put("/api/reminders", {});
  while (!asked.includes("GET /beat false")) await Bun.sleep(10);
  now = new Date(at("2027-02-15"));
  while (!asked.includes("POST /hook true")) await Bun.sleep(10);
  expect(await client.json("/api/deliveries")).toMatchObject({ items: [{ type: "reminder.due" }] });
  expect(await client.json("/api/summary")).toMatchObject({ reminders: { on: true, late: null } });
});
