import { expect, test } from "bun:test";
import { afterAnswer, type HostPace } from "../../../src/backend/checks/host-pace.ts";
import { registryTiming } from "../../../src/backend/checks/schedule.ts";
import { openRegister } from "../../support/empty-database.ts";
import { future } from "../../support/future.ts";
import { createSteppedLoop } from "../../support/stepped-loop.ts";
import { addNames, startSimulation } from "./simulate-year.ts";

const DAY_MS = 86_400_000;
const START = Date.parse(future("2026-11-22T12:00:00Z"));
const NAMES = 3;

test("a year of checks asks no host too fast, no name late, and believes no renewal that nobody paid", async () => {
  await using register = await openRegister();
  const { database } = register;
  const expiries = new Map(
    Array.from({ length: NAMES }, (_, index) => [
      `name-${index}.${index % 3 === 0 ? "net" : "com"}`,
      new Date(START + (20 + index * 24) * DAY_MS).toISOString(),
    ]),
  );
  const unknown = new Map([...expiries.keys()].map((name) => [name, null]));
  await addNames(database, unknown, new Date(START).toISOString());
  const time = { now: START };
  const { hosts, lookedAt, start } = startSimulation({
    database,
    expiries,
    hosts: { com: "https://fast.test/", net: "https://slow.test/" },
    intervals: {},
    limits: { "fast.test": 900, "slow.test": 900 },
    clock: () => new Date(time.now),
  });
  const loop = createSteppedLoop();
  start(database, loop);
  await loop.step();
  const due = async () => {
    const [first] = await database.read(
      (sql) => sql<{ name: string; due_at: string }[]>`select name, due_at from checks
        where kind = 'registry' order by due_at limit 1`,
    );
    return first;
  };
  // The registries alone: what the network says has no part in this.
  await database.write((sql) => sql`delete from checks where kind <> 'registry'`);
  const wrong: string[] = [];
  for (;;) {
    const next = await due();
    const nextAt = Date.parse(next?.due_at ?? "");
    if (nextAt >= START + 365 * DAY_MS) break;
    // Forward to the next check; while one is due, a second at a time.
    time.now = Math.max(nextAt, time.now + (nextAt <= time.now ? 1_000 : 0));
    await loop.step();
    const rows = await database.read(
      (sql) => sql<{ name: string; day: string }[]>`
        select name, expires_on as day from domains where expires_on is not null`,
    );
    for (const { name, day } of rows) {
      const expires = expiries.get(name) ?? "";
      const inGrace = time.now < Date.parse(expires) + 45 * DAY_MS;
      if (inGrace && day > expires.slice(0, 10)) wrong.push(`${name} ${day}`);
    }
  }
  await loop.stop();
  expect(wrong).toEqual([]);
  for (const host of hosts.values()) expect(host.tooFast).toBe(0);
  for (const [name, expires] of expiries) {
    const looks = lookedAt.get(name) ?? [];
    expect(looks.length).toBeGreaterThan(0);
    for (const [index, from] of looks.entries()) {
      // After the grace period the renewal counts, so the next one is a year away.
      const isPaid = from >= Date.parse(expires) + 45 * DAY_MS;
      const year = Number(expires.slice(0, 4)) + Number(isPaid);
      const day = new Date(from).toISOString().slice(0, 10);
      const { intervalMs } = registryTiming(`${year}${expires.slice(4, 10)}`, [], day);
      const gap = (looks[index + 1] ?? time.now) - from;
      expect(gap).toBeLessThan(intervalMs * 1.2 + 3_600_000);
    }
  }
}, 300_000);

test("a limit that a host hides is found in a few questions, kept to, and tried again much later", () => {
  const at = (ms: number) => new Date(START + ms);
  let pace: HostPace = {
    host: "one.test",
    kind: "rdap",
    interval_ms: 1_000,
    floor_ms: 0,
    next_at: at(0).toISOString(),
    blocked_until: null,
    good: 0,
    limited: 0,
    day: "",
    today: 0,
    last_outcome: null,
  };
  const refusals: number[] = [];
  let last = -Infinity;
  for (let question = 0; question < 40_000; question += 1) {
    const blocked = Date.parse(pace.blocked_until ?? "") || 0;
    const now = new Date(Math.max(Date.parse(pace.next_at), blocked));
    const isTooFast = now.getTime() - last < 5_000;
    last = now.getTime();
    if (isTooFast) refusals.push(question);
    const answer = { outcome: isTooFast ? "limited" : "ok", retryAfterMs: null } as const;
    pace = afterAnswer(pace, answer, { usualMs: 1_000, askedAt: now, now });
  }
  // 1, 2 and 4 seconds, and what is a little faster than 5; then once after 20,000 answers.
  expect(refusals.filter((question) => question < 20_000)).toHaveLength(4);
  expect(refusals.length).toBeLessThan(7);
  expect(pace.interval_ms).toBeLessThan(6_000);
});

test("a host whose day is nearly over is asked what is most urgent, and the rest on the next day", async () => {
  await using register = await openRegister();
  const { database } = register;
  const days = { "a.com": 400, "b.com": 100, "c.com": 3, "d.com": 45, "e.com": 20 };
  const expiries = new Map(
    Object.entries(days).map(([name, day]) => [name, new Date(START + day * DAY_MS).toISOString()]),
  );
  const at = new Date(START).toISOString();
  await addNames(database, expiries, at);
  const pace = { host: "one.test", kind: "rdap", interval_ms: 1_000, floor_ms: 1_000, next_at: at };
  const spent = { ...pace, good: 0, limited: 0, day: at.slice(0, 10), today: 19_998 };
  await database.write((sql) => sql`insert into check_hosts ${sql(spent)}`);
  const time = { now: START };
  const { lookedAt, start } = startSimulation({
    database,
    expiries,
    hosts: { com: "https://one.test/" },
    intervals: {},
    clock: () => new Date(time.now),
  });
  const loop = createSteppedLoop();
  start(database, loop);
  const tick = async () => {
    time.now += 1_000;
    await loop.step();
  };
  while (lookedAt.size < 2) await tick();
  for (let ticks = 0; ticks < 100; ticks += 1) await tick();
  expect([...lookedAt.keys()]).toEqual(["c.com", "e.com"]);
  time.now += DAY_MS / 2;
  while (lookedAt.size < 5) await tick();
  await loop.stop();
  const asked = [...lookedAt].toSorted(([, [one = 0]], [, [other = 0]]) => one - other);
  expect(asked.map(([name]) => name)).toEqual(["c.com", "e.com", "d.com", "b.com", "a.com"]);
});
