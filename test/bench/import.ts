import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { createApiClient } from "../support/api-client.ts";
import { importTable } from "../support/import-table.ts";
import { previewOf, sendCommit, undoImport } from "../support/import-client.ts";
import { emptyPostgres } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { MIX, Traffic, type Timing } from "./import-traffic.ts";

/**
 * What an import takes and what others notice of it:
 * `bun run bench:import [rows] [sqlite|postgres] [rounds] [requests a second]`. The backend is a
 * process of its own; others go on with their work all the while, unless they send 0 requests. A round imports new names, then the same with other
 * days, and takes both back.
 */
const rows = Number(process.argv[2] ?? 20_000);
const kind = process.argv[3] ?? "sqlite";
const rounds = Number(process.argv[4] ?? 5);
/** Requests in a second: more than a few cost more than one processor has, of 200,000 names. */
const rate = Number(process.argv[5] ?? (rows > 50_000 ? 5 : 100));
const SERVER = join(import.meta.dir, "..", "support", "serve-backend.ts");

/** One kind of step, over all rounds: how long it took, and what others sent meanwhile took. */
interface Step {
  seconds: number[];
  timings: Timing[];
}

const steps = new Map<string, Step>();

async function measure<T>(traffic: Traffic, what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let seconds = 0;
  const { result, timings } = await traffic.during(() =>
    work().finally(() => (seconds = (performance.now() - start) / 1000)),
  );
  const step = steps.get(what) ?? { seconds: [], timings: [] };
  step.seconds.push(seconds);
  step.timings.push(...timings);
  steps.set(what, step);
  return result;
}

/** Count, p99 and longest; the nearest rank, so of less than a hundred p99 is the longest. */
function describe(timings: readonly Timing[]): string {
  const sorted = timings.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(0);
  return `${String(sorted.length).padStart(5)} ${at(0.5).padStart(4)} ${at(0.99).padStart(5)} ${at(1).padStart(5)}`;
}

function report(): void {
  const head = "count  p50   p99   max";
  console.log(`${" ".repeat(18)} seconds | all ${head} | reads ${head} | writes ${head}`);
  for (const [what, { seconds, timings }] of steps) {
    const median = seconds.toSorted((a, b) => a - b)[Math.floor((seconds.length - 1) / 2)] ?? 0;
    const reads = timings.filter(({ write }) => !write);
    const writes = timings.filter(({ write }) => write);
    console.log(
      `${what.padEnd(18)} ${median.toFixed(2).padStart(7)} |    ${describe(timings)} |` +
        `      ${describe(reads)} |       ${describe(writes)}`,
    );
  }
}

function resident(pid: number, field: "VmRSS" | "VmHWM"): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kibibytes = Number(new RegExp(`${field}:\\s*(\\d+)`).exec(status)?.[1]);
  return `${Math.round(kibibytes / 1024)} MB`;
}

/** What Postgres does by itself before long; the tests' own server has it turned off. */
async function vacuum(url: string): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  await sql`vacuum analyze`;
}

await using postgres = kind === "postgres" ? await emptyPostgres() : null;
using folder = createTemporaryFolder();
// With as many connections as there are where nothing is said: the tests' own have few.
const databaseUrl =
  postgres?.url.replace("?max=3", "") ?? `sqlite://${join(folder.path, "register.sqlite")}`;
const child = Bun.spawn([process.execPath, SERVER, databaseUrl, String(2 ** 30)], {
  cwd: folder.path,
  stdout: "pipe",
  stderr: "inherit",
});
try {
  const { value } = await child.stdout.getReader().read();
  const client = createApiClient(`http://127.0.0.1:${new TextDecoder().decode(value).trim()}`);
  await client.setUp("let me in");
  const traffic = await Traffic.create(client, rate);
  const [file, later] = [importTable(rows), importTable(rows, "2028")];
  const megabytes = (file.length / 1e6).toFixed(1);
  console.log(`${kind}, ${rows} rows, ${megabytes} MB; resident ${resident(child.pid, "VmRSS")}`);
  console.log(`Meanwhile ${rate} requests/s, ${MIX}; milliseconds`);
  await measure(traffic, "nothing", () => Bun.sleep(2000));
  for (let round = 0; round < rounds; round += 1) {
    const added = await measure(traffic, "preview (new)", () => previewOf(client, file));
    const done = await measure(traffic, "commit (new)", () => sendCommit(client, added.id));
    if (!done.ok) throw new Error(`The commit got ${done.status}`);
    const changed = await measure(traffic, "preview (changed)", () => previewOf(client, later));
    await measure(traffic, "commit (changed)", () => sendCommit(client, changed.id));
    await measure(traffic, "undo (changed)", () => undoImport(client, changed.id));
    await measure(traffic, "undo (new)", () => undoImport(client, added.id));
    if (postgres !== null) await vacuum(postgres.url);
  }
  report();
  console.log(`resident at most ${resident(child.pid, "VmHWM")}`);
} finally {
  child.kill();
  await child.exited;
}
