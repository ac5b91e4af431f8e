import { join } from "node:path";
import * as fc from "fast-check";
import { migrate } from "../../src/backend/database/migrate.ts";
import { openDatabase } from "../../src/backend/database/open-database.ts";
import { parseReminderSettings } from "../../src/shared/reminders.ts";
import { histories, runHistory } from "../backend/reminders/simulate-history.ts";
import {
  addWaiting,
  OPTIONS,
  readDeliveries,
  spawnReminders,
  startReceiver,
} from "../backend/reminders/simulate-kills.ts";
import type { ApiClient } from "../support/api-client.ts";
import { startBackend } from "../support/backend-server.ts";
import { fillRegister } from "../support/fill-register.ts";
import { emptyPostgres } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/**
 * What reminders cost and keep to: `bun run bench:reminders [what] [count]`.
 *
 * - `register`: `count` domains, all within the thresholds: the first evaluation, the first message,
 *   and sixty days; what list and edits wait meanwhile. On SQLite and on Postgres.
 * - `histories`: so many random histories against the model of the rules.
 * - `kills`: four processes on one Postgres, one of which is killed every few seconds, with leases in
 *   real time, until so many messages have come.
 */
const [what = "all", count] = process.argv.slice(2);

const DAY_MS = 24 * 3_600_000;

if (what === "all" || what === "histories") await runHistories(Number(count ?? 1000));
if (what === "all" || what === "register") {
  for (const kind of ["sqlite", "postgres"]) await measureRegister(kind, Number(count ?? 20_000));
}
if (what === "all" || what === "kills") await runKills(Number(count ?? 2000));
process.exit(0);

async function runHistories(runs: number): Promise<void> {
  using folder = createTemporaryFolder();
  const database = await openDatabase(`sqlite://${join(folder.path, "register.sqlite")}`);
  await migrate(database);
  const total = { days: 0, told: 0 };
  const holds = fc.asyncProperty(histories, async (history) => {
    const { told, expected, missed, repeated, days } = await runHistory(database, history);
    const isRight = Bun.deepEquals(told, expected) && missed.length + repeated.length === 0;
    if (!isRight) throw new Error(JSON.stringify({ told, expected, missed, repeated }));
    total.days += days;
    total.told += told.length;
  });
  const began = performance.now();
  await fc.assert(holds, { numRuns: runs });
  await database.close();
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${runs} histories, ${total.days} days, ${total.told} reminders in ${seconds.toFixed(0)} s: none missing, none twice`,
  );
}

async function measureRegister(kind: string, domains: number): Promise<void> {
  await using postgres = kind === "postgres" ? await emptyPostgres() : null;
  await using receiver = startReceiver(0);
  const time = { now: Date.parse("2027-03-01T12:00:00Z") };
  await using server = await startBackend({
    ...(postgres !== null && { databaseUrl: postgres.url }),
    clock: () => new Date(time.now),
    reminders: OPTIONS,
  });
  const client = await server.owner();
  const database = await openDatabase(server.databaseUrl);
  await fillRegister(database, domains);
  const ids = await database.read(
    (sql) => sql<{ id: string }[]>`select id from domains order by id`,
  );
  const perDay = Math.ceil(domains / 60);
  for (let day = 0; day < 60; day += 1) {
    const expires = new Date(time.now + (day + 1) * DAY_MS).toISOString().slice(0, 10);
    const some = ids.slice(day * perDay, (day + 1) * perDay).map(({ id }) => id);
    const row = { expires_on: expires, expires_earliest: expires, auto_renew: 0, decision: null };
    await database.write((sql) => sql`update domains set ${sql(row)} where id in ${sql(some)}`);
  }
  const channel = { kind: "webhook", name: "Ops", target: receiver.url };
  for (const filter of ["", "tld=com"]) {
    await client.request("/api/channels", { method: "POST", json: { ...channel, filter } });
  }
  const settings = async () => parseReminderSettings(await client.json("/api/reminders"));
  const evaluated = async () => {
    while ((await settings()).lastEvaluatedAt !== new Date(time.now).toISOString()) {
      await Bun.sleep(2);
    }
  };
  const said = (name: string, ms: number, waits: string) =>
    console.log(`${kind}, ${domains} domains: ${name} ${ms.toFixed(0)} ms; ${waits}`);

  said("nothing to do for", 3000, await watch(client, ids, () => Bun.sleep(3000)));
  for (const name of ["first evaluation in", "first message of the day in"]) {
    const began = performance.now();
    let ms = 0;
    const waits = await watch(client, ids, async () => {
      if (name.startsWith("first e")) {
        await client.request("/api/reminders", { method: "PUT", json: { hour: 8 } });
      } else time.now += 20 * 3_600_000 + 1000;
      await evaluated();
      ms = performance.now() - began;
    });
    said(name, ms, waits);
  }
  const daily: number[] = [];
  const waits = await watch(client, ids, async () => {
    for (let day = 0; day < 60; day += 1) {
      const began = performance.now();
      time.now += DAY_MS;
      await evaluated();
      daily.push(performance.now() - began);
    }
  });
  daily.sort((one, other) => one - other);
  said(`each of 60 days in ${daily[30]?.toFixed(0)} to`, daily.at(-1) ?? 0, waits);
  await Bun.sleep(1000);
  const states = Map.groupBy(await readDeliveries(database), ({ state }) => state);
  const counted = [...states].map(([state, all]) => `${all.length} ${state}`).join(", ");
  console.log(`${kind}: ${receiver.counts.size} messages to 2 channels in 61 days: ${counted}`);
  await database.close();
}

/** What others wait while something happens: reads of the list, and an edit in ten. */
async function watch(
  client: ApiClient,
  ids: readonly { id: string }[],
  work: () => Promise<void>,
): Promise<string> {
  const reads: number[] = [];
  const edits: number[] = [];
  const state = { isDone: false };
  const done = work().finally(() => {
    state.isDone = true;
  });
  for (let round = 0; !state.isDone; round += 1) {
    const isEdit = round % 10 === 9;
    const { id = "" } = ids[round % ids.length] ?? {};
    const json = { notes: `${round}` };
    const edit = { method: "PATCH", json, headers: { "If-Match": "*" } };
    const asked = performance.now();
    const response = await (isEdit
      ? client.request(`/api/domains/${id}`, edit)
      : client.request(`/api/domains?limit=100&q=name-${round % 97}`));
    await response.arrayBuffer();
    (isEdit ? edits : reads).push(performance.now() - asked);
    await Bun.sleep(5);
  }
  await done;
  const figures = Object.entries({ reads, edits }).map(([kind, waits]) => {
    waits.sort((one, other) => one - other);
    const at = (share: number) => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(1);
    return `${waits.length} ${kind}: median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.9999)} ms`;
  });
  return figures.join("; ");
}

async function runKills(messages: number): Promise<void> {
  await using postgres = await emptyPostgres();
  await using receiver = startReceiver(4);
  const database = await openDatabase(postgres.url);
  await migrate(database);
  await addWaiting(database, { kind: "webhook", target: receiver.url, count: messages });
  const children = spawnReminders(4, postgres.url);
  const began = performance.now();
  let kills = 0;
  const isDone = async () =>
    (await readDeliveries(database)).every(({ state }) => state === "sent");
  while (!(await isDone())) {
    await Bun.sleep(300 + 900 * Math.random());
    // What the last one killed was sending comes a minute later: nobody is killed meanwhile.
    if (receiver.counts.size > messages) continue;
    children.shift()?.kill("SIGKILL");
    kills += 1;
    children.push(...spawnReminders(1, postgres.url));
  }
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(children.map(({ exited }) => exited));
  await database.close();
  const came = [...receiver.counts.values()].reduce((sum, each) => sum + each, 0);
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${receiver.counts.size} messages by four processes in ${seconds.toFixed(0)} s, ${kills} kills: ${came - receiver.counts.size} came twice, none is missing`,
  );
}
