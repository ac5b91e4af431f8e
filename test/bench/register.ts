import { join } from "node:path";
import { SQL } from "bun";
import { migrate } from "../../src/backend/database/migrate.ts";
import { openDatabase, type Database } from "../../src/backend/database/database.ts";
import { changeMany } from "../../src/backend/domains/bulk.ts";
import { exportCsv } from "../../src/backend/domains/csv-export.ts";
import { parseBulk } from "../../src/backend/domains/bulk-changes.ts";
import { listDomains, parseListQuery } from "../../src/backend/domains/list-domains.ts";
import { listFacets } from "../../src/backend/domains/filter-condition.ts";
import { summarise } from "../../src/backend/domains/overview.ts";
import { DEFAULT_SORT, SORT_FIELDS } from "../../src/shared/view.ts";
import { fillRegister } from "../support/fill-register.ts";
import { emptyPostgres } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/**
 * How long the register takes to answer: `bun run bench:register [names] [sqlite|postgres]`. Every
 * filter and every pair of filters, under every sort, both ways, the best of a few runs
 * of each; then what else reads everything, and what a bulk change costs those who read meanwhile.
 */
const names = Number(process.argv[2] ?? 20_000);
const kind = process.argv[3] ?? "sqlite";

/** With more names than this, filters are not paired and runs are few: it would take all day. */
const MANY = 50_000;

const FILTERS = [
  "",
  "q=name-1",
  "q=nothing-like-it",
  "registrar=GoDaddy",
  "registrar=nobody",
  "account=account 7",
  "owner=owner 3",
  "tag=client",
  "tld=com",
  "tld=app",
  "decision=keep",
  "decision=drop",
  "decision=-",
  "decision=!drop",
  "autoRenew=true",
  "autoRenew=-",
  "autoRenew=!true",
  "expires=known",
  "expires=none",
  "expires=conflict",
  "expiresFrom=2027-01-01",
  "expiresBefore=2026-11-01",
  "expiresFrom=2027-03-01&expiresBefore=2027-04-01",
];

interface Timing {
  query: string;
  milliseconds: number;
}

/**
 * Milliseconds: of the processor for SQLite, which works in this process and waits for nothing, so
 * that whoever shares the machine does not count; of the wall for Postgres.
 */
function clock(): number {
  if (kind === "postgres") return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function measure(database: Database, query: string): Promise<Timing> {
  const parsed = parseListQuery(new URLSearchParams(query));
  const times: number[] = [];
  // What was slow is measured anew: others share the machine.
  const [least, most] = names > MANY ? [2, 2] : [3, 12];
  for (let run = 0; run < least || (run < most && Math.min(...times) > 8); run += 1) {
    const start = clock();
    await database.read((sql) => listDomains(sql, parsed));
    times.push(clock() - start);
  }
  return { query, milliseconds: Math.min(...times) };
}

function* queries(): Generator<string> {
  for (const field of SORT_FIELDS) {
    // Either way, and as the screen asks for it.
    const screen = field === "name" ? [] : [`-${field},name`];
    for (const sort of [field, `-${field}`, ...screen]) {
      for (const [index, one] of FILTERS.entries()) {
        yield `sort=${sort}&${one}`;
        if (names > MANY) continue;
        for (const other of FILTERS.slice(index + 1)) {
          const both = new URLSearchParams(`${one}&${other}`);
          if (both.size === new Set(both.keys()).size) yield `sort=${sort}&${one}&${other}`;
        }
      }
    }
  }
}

function report(title: string, timings: Timing[]): void {
  const sorted = timings.toSorted((one, other) => other.milliseconds - one.milliseconds);
  const at = (share: number) =>
    sorted[Math.floor((sorted.length - 1) * (1 - share))]?.milliseconds.toFixed(1);
  const slow = sorted.filter(({ milliseconds }) => milliseconds > 10).length;
  console.log(
    `${title}: ${sorted.length} queries, median ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `slowest ${at(1)} ms, ${slow} above 10 ms`,
  );
  for (const { query, milliseconds } of sorted.slice(0, 8)) {
    console.log(`  ${milliseconds.toFixed(1).padStart(7)} ms  ${query}`);
  }
}

/** The best of five. */
async function time(what: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  console.log(`${what}: ${Math.min(...times).toFixed(1)} ms`);
}

/** What one page of the list costs those who ask for it while a long write is under way. */
async function timeBulk(what: string, database: Database, op: object): Promise<void> {
  const bulk = parseBulk({ select: { filter: {}, expectedCount: names }, op });
  const query = parseListQuery(new URLSearchParams("sort=name"));
  const state = { done: false };
  const start = performance.now();
  const writing = database
    .writeMany(changeMany, { ...bulk, by: { id: null, name: "bench" } })
    .finally(() => (state.done = true));
  const waits: number[] = [];
  while (!state.done) {
    const asked = performance.now();
    await Bun.sleep(1);
    await database.read((sql) => listDomains(sql, query));
    waits.push(performance.now() - asked);
  }
  await writing;
  const took = Math.round(performance.now() - start);
  const sorted = waits.toSorted((one, other) => one - other);
  const p99 = sorted[Math.floor((sorted.length - 1) * 0.99)]?.toFixed(1);
  console.log(
    `${what}: ${took} ms; ${waits.length} pages meanwhile, p99 ${p99} ms, ` +
      `slowest ${sorted.at(-1)?.toFixed(1)} ms`,
  );
}

using folder = createTemporaryFolder();
await using postgres = kind === "postgres" ? await emptyPostgres() : null;
const databaseUrl = postgres?.url ?? `sqlite://${join(folder.path, "a.sqlite")}`;
const start = performance.now();
const filled = await openDatabase(databaseUrl);
await migrate(filled);
await fillRegister(filled, names);
// Otherwise SQLite's log, which is as long as nobody's is, would be folded while lists are measured.
await filled.close();
// The tests' own server has no autovacuum, which would do this.
if (postgres !== null) {
  await using sql = new SQL(postgres.url, { max: 1 });
  await sql`vacuum analyze`;
}
const database = await openDatabase(databaseUrl);
console.log(`${names} names on ${kind}, filled in ${Math.round(performance.now() - start)} ms`);
const timings: Timing[] = [];
for (const query of queries()) timings.push(await measure(database, query));
report("First pages", timings);
await time("Summary", () =>
  database.read((sql) => summarise(sql, { today: "2026-11-21", person: "all", me: "" })),
);
await time("Facets", () => listFacets(database));
await time("CSV", async () => {
  const view = { filter: {}, sort: DEFAULT_SORT, today: "2026-11-21" };
  await Array.fromAsync(exportCsv(database, view));
});
const edit = { kind: "edit", decision: "watch", owner: "Somebody", addTags: ["new"] };
await timeBulk("Bulk edit of all", database, edit);
await timeBulk("Bulk deletion of all", database, { kind: "delete" });
await database.close();
