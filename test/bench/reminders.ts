import { openDatabase } from "../../src/backend/database/open-database.ts";
import { parseReminderSettings } from "../../src/shared/reminders.ts";
import { OPTIONS, readDeliveries, startReceiver } from "../backend/reminders/simulate-kills.ts";
import { startBackend } from "../support/backend-server.ts";
import { fillRegister } from "../support/fill-register.ts";
import { emptyPostgres } from "../support/postgres.ts";
import { median, watchOthers } from "./measure.ts";

/**
 * What reminders cost: `bun run bench:reminders [domains]`, all of them within the thresholds. The first
 * evaluation, the first message, and sixty days; what list and edits wait meanwhile. On SQLite and on Postgres.
 */
const [count = "20000"] = process.argv.slice(2);

const DAY_MS = 24 * 3_600_000;

for (const kind of ["sqlite", "postgres"]) await measureRegister(kind, Number(count));
process.exit(0);

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
    await client.post("/api/channels", { ...channel, filter });
  }
  const settings = async () => parseReminderSettings(await client.json("/api/reminders"));
  const evaluated = async () => {
    while ((await settings()).lastEvaluatedAt !== new Date(time.now).toISOString()) {
      await Bun.sleep(2);
    }
  };
  const watch = async (what: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    let ms = 0;
    const { reads, edits } = await watchOthers(client, ids[0]?.id ?? "", async () => {
      await work();
      ms = performance.now() - began;
    });
    const waits = `meanwhile p50 / p99 / longest ms: reads ${reads}, edits ${edits}`;
    console.log(`${kind}, ${domains} domains: ${what} ${ms.toFixed(0)} ms; ${waits}`);
  };

  await watch("nothing to do for", () => Bun.sleep(3000));
  await watch("first evaluation in", async () => {
    await client.put("/api/reminders", { hour: 8 });
    await evaluated();
  });
  await watch("first message of the day in", async () => {
    time.now += 20 * 3_600_000 + 1000;
    await evaluated();
  });
  const daily: number[] = [];
  await watch("60 days in", async () => {
    for (let day = 0; day < 60; day += 1) {
      const began = performance.now();
      time.now += DAY_MS;
      await evaluated();
      daily.push(performance.now() - began);
    }
  });
  console.log(`one of them: ${median(daily).toFixed(0)} to ${Math.max(...daily).toFixed(0)} ms`);
  await Bun.sleep(1000);
  const states = Map.groupBy(await readDeliveries(database), ({ state }) => state);
  const counted = [...states].map(([state, all]) => `${all.length} ${state}`).join(", ");
  console.log(`${kind}: ${receiver.counts.size} messages to 2 channels in 61 days: ${counted}`);
  await database.close();
}
