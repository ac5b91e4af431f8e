import type { Database } from "../../src/backend/database/database.ts";
import { openDatabase } from "../../src/backend/database/open-database.ts";
import { startSimulation } from "../backend/checks/simulate-year.ts";
import { startBackend } from "../support/backend-server.ts";
import { fillRegister } from "../support/fill-register.ts";
import { memoryDuring, residentMemory } from "../support/resident-memory.ts";
import { watchOthers } from "./measure.ts";

/**
 * What the first live checks cost: `bun run bench:checks [names]`, against registries that answer at once
 * and have no limit: names a second, what list and edits wait meanwhile, memory.
 */
const [count = "20000"] = process.argv.slice(2);
const names = Number(count);

const DAY_MS = 86_400_000;

await measureFill();
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
