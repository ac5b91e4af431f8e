import type { Database } from "../../src/backend/database/database.ts";
import { openDatabase } from "../../src/backend/database/open-database.ts";
import { insertRows } from "../../src/backend/database/bulk-rows.ts";
import { addNames, type Fate, startSimulation } from "../backend/checks/simulate-year.ts";
import { startBackend } from "../support/backend-server.ts";
import { openRegister } from "../support/empty-database.ts";
import { fillRegister } from "../support/fill-register.ts";
import { memoryDuring, residentMemory } from "../support/resident-memory.ts";
import { quantile, watchOthers } from "./measure.ts";

/**
 * What live checks cost and keep to: `bun run bench:checks [what] [names] [days]`.
 *
 * - `fill`: the first fill against registries that answer at once and have no limit: names a second,
 *   what list and edits wait meanwhile, memory.
 * - `year`: a year, or fewer days, by a clock of its own, against hosts with hidden limits, while names renew.
 */
const [what = "all", count = "20000", days = "365"] = process.argv.slice(2);
const names = Number(count);

const DAY_MS = 86_400_000;

/** Simulated time between two looks where nothing is asked. */
const TICK_MS = 300_000;

if (what === "all" || what === "fill") await measureFill();
if (what === "all" || what === "year") await measureYear();
process.exit(0);

async function countDone(database: Database): Promise<number> {
  const [row] = await database.read(
    (sql) => sql<{ done: number }[]>`select cast(count(*) as integer) as done from checks
      where kind = 'registry' and outcome is not null`,
  );
  return row?.done ?? 0;
}

async function measureFill(): Promise<void> {
  await using server = await startBackend({});
  const client = await server.owner();
  const database = await openDatabase(server.databaseUrl);
  await fillRegister(database, names);
  const rows = await database.read(
    (sql) => sql<{ id: string; name: string; tld: string }[]>`select id, name, tld from domains`,
  );
  const tlds = [...new Set(rows.map(({ tld }) => tld))];
  const expiries = new Map(
    rows.map(({ name }, index) => [
      name,
      new Date(Date.now() + (30 + (index % 700)) * DAY_MS).toISOString(),
    ]),
  );
  const { hosts, start } = startSimulation({
    database,
    expiries,
    hosts: Object.fromEntries(tlds.map((tld, index) => [tld, `https://host-${index % 4}.test/`])),
    intervals: Object.fromEntries(tlds.map((_, index) => [`host-${index}.test`, 0])),
    clock: () => new Date(),
  });
  const watch = async (when: string, work: () => Promise<unknown>) => {
    const { reads, edits } = await watchOthers(client, rows[0]?.id ?? "", work);
    console.log(`${when}, ms as p50 / p99 / longest: reads ${reads}, edits ${edits}`);
  };
  await watch("before", () => Bun.sleep(3_000));
  const before = residentMemory(process.pid);
  const worker = start();
  await Bun.sleep(1_000);
  const began = performance.now();
  const grown = await memoryDuring(process.pid, () =>
    watch("meanwhile", async () => {
      while ((await countDone(database)) < names) await Bun.sleep(100);
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  await worker.stop();
  await database.close();
  console.log(
    `first fill: ${names} names in ${seconds.toFixed(1)} s, ${Math.round(names / seconds)} a second`,
  );
  const [at, most] = [before, before + grown].map((bytes) => Math.round(bytes / 1024 ** 2));
  console.log(`memory: ${at} MB before, ${most} MB at most`);
  const registries = [...hosts].filter(([host]) => host.startsWith("host-"));
  console.log(`asked: ${registries.map(([host, { asked }]) => `${host} ${asked}`).join(", ")}`);
}

async function measureYear(): Promise<void> {
  await using register = await openRegister();
  const { database } = register;
  const began = Date.parse("2026-11-22T12:00:00Z");
  const FATES: Fate[] = ["early", "early", "early", "grace", "silent", "dropped"];
  /** Milliseconds that each host wants between two questions. */
  const LIMITS = [900, 900, 900, 900, 900, 900, 1_500, 2_000, 5_000, 10_000];
  const HOSTS = 40;
  const due = new Map<string, number>();
  const fates = new Map<string, Fate>();
  for (let index = 0; index < names; index += 1) {
    const name = `name-${index}.h${index % HOSTS}`;
    due.set(name, began + (1 + ((index * 7919) % 36_400) / 100) * DAY_MS);
    fates.set(name, FATES[Math.floor(index / HOSTS) % FATES.length] ?? "early");
  }
  const expiries = new Map([...due].map(([name, at]) => [name, new Date(at).toISOString()]));
  const unknown = new Map([...due.keys()].map((name) => [name, null]));
  await addNames(database, unknown, new Date(began).toISOString());
  // What registrars' lists have told a month ago.
  await database.write(async (sql) => {
    const ids = await sql<{ id: string; name: string }[]>`select id, name from domains`;
    const told = ids.filter(({ name }) => fates.get(name) === "silent");
    const rows = told.map(({ id, name }) => ({
      id: Bun.randomUUIDv7(),
      domain_id: id,
      kind: "expires",
      source: "GoDaddy",
      value: expiries.get(name)?.slice(0, 10) ?? "",
      observed_at: new Date(began - 30 * DAY_MS).toISOString(),
    }));
    await insertRows(sql, "observations", rows);
  });

  const time = { now: began, planned: false };
  let asked = 0;
  let before = -1;
  const total = () => [...hosts.values()].reduce((sum, host) => sum + host.asked, 0);
  /** Goes on to the next instant once nothing is asked any more. */
  async function advance(): Promise<void> {
    asked = total();
    if (!time.planned || asked !== before) {
      before = asked;
      return;
    }
    const at = new Date(time.now).toISOString();
    const [next] = await database.read(
      (sql) => sql<{ at: string | null }[]>`select min(at) as at from (
        select next_at as at from check_hosts where next_at > ${at}
          and (blocked_until is null or blocked_until <= ${at})
        union all select blocked_until from check_hosts where blocked_until > ${at}) h`,
    );
    time.now = Math.min(time.now + TICK_MS, Date.parse(next?.at ?? "9999-01-01"));
  }
  const { hosts, lookedAt, start } = startSimulation({
    database,
    expiries,
    hosts: Object.fromEntries(
      Array.from({ length: HOSTS }, (_, index) => [`h${index}`, `https://h${index}.test/`]),
    ),
    intervals: {},
    limits: Object.fromEntries(
      Array.from({ length: HOSTS }, (_, index) => [
        `h${index}.test`,
        LIMITS[index % LIMITS.length] ?? 900,
      ]),
    ),
    fateOf: (name) => fates.get(name) ?? "early",
    clock: () => new Date(time.now),
    onRound: advance,
  });
  const started = performance.now();
  const worker = start();
  const turn = async () => {
    worker.wake();
    await Bun.sleep(0);
  };
  for (let rows = 0; rows < names;) {
    await Bun.sleep(50);
    const [row] = await database.read(
      (sql) => sql<{ rows: number }[]>`select cast(count(*) as integer) as rows from checks
        where kind = 'registry'`,
    );
    rows = row?.rows ?? 0;
  }
  // The registries alone: what the network says has no part in this.
  await database.write((sql) => sql`delete from checks where kind <> 'registry'`);
  time.planned = true;

  const overdue: number[] = [];
  const wrong = {
    renewed: new Set<string>(),
    missed: new Set<string>(),
    unsaid: new Set<string>(),
  };
  let filled = 0;
  let hour = began;
  let day = began;
  const end = began + Number(days) * DAY_MS;
  while (time.now < end) {
    await turn();
    if (time.now >= hour) {
      hour += 3_600_000;
      const [row] = await database.read(
        (sql) => sql<{ at: string; fresh: number }[]>`select min(due_at) as at,
          cast(sum(case when outcome is null then 1 else 0 end) as integer) as fresh from checks`,
      );
      if (filled === 0 && row?.fresh === 0) filled = time.now;
      if (filled > 0) overdue.push((time.now - Date.parse(row?.at ?? "")) / 3_600_000);
    }
    if (time.now >= day) {
      day += DAY_MS;
      if (filled > 0) await judge();
      if (Math.round((day - began) / DAY_MS) % 30 === 0) {
        const seconds = Math.round((performance.now() - started) / 1_000);
        console.error(
          `day ${Math.round((day - began) / DAY_MS)}: ${total()} questions, ${seconds} s`,
        );
      }
    }
  }
  await worker.stop();

  /** Compares what the register believes with what has become of each name. */
  async function judge(): Promise<void> {
    const near = [...due].filter(([, at]) => Math.abs(time.now - at) < 60 * DAY_MS);
    const known = new Map<string, { day: string | null; codes: string }>();
    for (let at = 0; at < near.length; at += 500) {
      const some = near.slice(at, at + 500).map(([name]) => name);
      const rows = await database.read(
        (sql) => sql<{ name: string; day: string | null; codes: string | null }[]>`
          select name, expires_on as day, (select max(code) from findings f
            where f.domain_id = d.id and severity = 0) as codes
          from domains d where name in ${sql(some)}`,
      );
      for (const row of rows) known.set(row.name, { day: row.day, codes: row.codes ?? "" });
    }
    for (const [name, at] of near) {
      const since = (time.now - at) / DAY_MS;
      const fate = fates.get(name) ?? "early";
      const { day: believed, codes } = known.get(name) ?? { day: null, codes: "" };
      const isLater = (believed ?? "") > new Date(at).toISOString().slice(0, 10);
      if (fate !== "early" && since < 45 && isLater) wrong.renewed.add(name);
      // Paid 20 days before, and looked at every other day.
      if (fate === "early" && -17 < since && !isLater) wrong.missed.add(name);
      if ((fate === "grace" || fate === "silent") && since > 48 && !isLater) wrong.missed.add(name);
      // Asked daily from a week before on, and the day's fifth.
      const isUnpaid = fate === "grace" || fate === "dropped";
      if (isUnpaid && 1.5 < since && since < 44 && codes === "") wrong.unsaid.add(name);
      if (fate === "dropped" && 46 < since && since < 60 && codes === "") wrong.unsaid.add(name);
    }
  }

  const seconds = (performance.now() - started) / 1_000;
  console.log(
    `${days} days of ${names} names at ${HOSTS} hosts: ${total()} questions in ${Math.round(seconds)} s; all known after ${((filled - began) / 3_600_000).toFixed(1)} h`,
  );
  const byLimit = Map.groupBy(hosts.values(), ({ limitMs }) => limitMs);
  for (const [limitMs, group] of [...byLimit].toSorted(([one], [other]) => one - other)) {
    const over = group.map(({ tooFast }) => tooFast).toSorted((one, other) => other - one);
    const questions = group.reduce((sum, host) => sum + host.asked, 0);
    console.log(
      `limit ${limitMs} ms: ${group.length} hosts, ${questions} questions, over it ${over[0]} times at most, ${over.at(-1)} at least`,
    );
  }
  console.log(
    `overdue, hours: p50 / p99 / longest ${[0.5, 0.99, 1].map((share) => quantile(overdue, share).toFixed(1)).join(" / ")}`,
  );
  console.log(
    `believed a renewal that nobody paid: ${wrong.renewed.size}; missed one that was: ${wrong.missed.size}; said nothing of one that is not paid: ${wrong.unsaid.size}; never looked at: ${names - lookedAt.size}`,
  );
  console.log([...wrong.renewed, ...wrong.missed, ...wrong.unsaid].slice(0, 5).join(" "));
}
