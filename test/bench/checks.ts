import { join } from "node:path";
import { createBackend } from "../../src/backend/backend.ts";
import { openDatabase } from "../../src/backend/database/database.ts";
import { migrate } from "../../src/backend/database/migrate.ts";
import { startSimulation } from "../backend/checks/simulate-year.ts";
import { fillRegister } from "../support/fill-register.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/**
 * Measures the first fill of a register against registries that answer at once and have no limit of
 * their own: names a second, how long other requests wait meanwhile, and memory. Then a round with
 * nothing due. `bun test/bench/checks.ts [names]`.
 */
const names = Number(process.argv[2] ?? 20_000);

using folder = createTemporaryFolder();
const url = `sqlite://${join(folder.path, "register.sqlite")}`;
const database = await openDatabase(url);
await migrate(database);
await fillRegister(database, names);
const rows = await database.read(
  (sql) => sql<{ name: string; tld: string }[]>`select name, tld from domains`,
);
const tlds = [...new Set(rows.map(({ tld }) => tld))];
const expiries = new Map(
  rows.map(({ name }, index) => [
    name,
    new Date(Date.UTC(2027, 0, 1 + (index % 700))).toISOString(),
  ]),
);
const { hosts, start } = startSimulation({
  database,
  expiries,
  hosts: Object.fromEntries(tlds.map((tld, index) => [tld, `https://host-${index % 4}.test/`])),
  intervals: Object.fromEntries(tlds.map((_, index) => [`host-${index}.test`, 0])),
  clock: () => new Date(),
});
const backend = await createBackend({
  databaseUrl: url,
  maxUploadBytes: 1_000_000,
  setupCode: "x",
});
const peer = { address: "127.0.0.1", remoteAddress: "127.0.0.1", secure: false };
const waits: number[] = [];
const before = performance.now();
const worker = start();
let done = 0;
while (done < names) {
  const asked = performance.now();
  await backend.fetch(new Request("http://127.0.0.1/api/token"), peer);
  await database.read((sql) => sql`select id from domains order by name limit 50`);
  waits.push(performance.now() - asked);
  await Bun.sleep(10);
  const [count] = await database.read(
    (sql) => sql<{ done: number }[]>`
    select cast(count(*) as integer) as done from checks where kind = 'registry' and outcome is not null`,
  );
  done = count?.done ?? 0;
}
const seconds = (performance.now() - before) / 1_000;
waits.sort((one, other) => one - other);
const at = (share: number) => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(1);
console.log(
  `first fill: ${names} names in ${seconds.toFixed(1)} s, ${Math.round(names / seconds)} a second`,
);
console.log(
  `another request meanwhile: median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(0.9999)} ms`,
);
console.log(
  `memory: ${Math.round(process.memoryUsage.rss() / 1024 ** 2)} MB; asked: ${[...hosts].map(([host, { asked }]) => `${host} ${asked}`).join(", ")}`,
);
await worker.stop();
await backend.close();
await database.close();
process.exit(0);
