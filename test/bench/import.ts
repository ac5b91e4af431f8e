import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { ApiClient } from "../support/api-client.ts";
import { previewOf, sendCommit, undoImport } from "../support/import-client.ts";
import { importTable } from "../support/import-table.ts";
import { emptyPostgres } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { startBackend } from "./start-backend.ts";

/**
 * What an import takes and what others notice of it:
 * `bun run bench:import [rows,…] [sqlite,postgres] [others: 1 or 0]`. The backend is a process of its own.
 * New names are imported, the same file again, then with other days, and all of it is taken back.
 */
const [sizes = "20000,200000", kinds = "sqlite,postgres", others = "1"] = process.argv.slice(2);

/**
 * What others do meanwhile. Each waits for its answer and then a while: requests at a fixed rate are
 * more than one processor can answer of a large register, and a backlog that grows for as long as an
 * import takes keeps the import waiting too.
 */
const OTHERS = {
  reads: { pauseMs: 20, request: readAt },
  session: { pauseMs: 10, request: () => ({ path: "/api/token" }) },
  writes: { pauseMs: 200, request: editAt },
};

const READS = [
  "/api/domains?limit=50&sort=name",
  "/api/domains?limit=100",
  "/api/domains/{id}",
  "/api/domains?q=name-1&sort=-expires,name",
  "/api/summary",
  "/api/domains?tld=test&autoRenew=!true&sort=name",
  "/api/domains/{id}/history",
  "/api/domains?expiresBefore=2027-06-01&sort=registrar,name",
];

function readAt(turn: number, id: string) {
  return { path: (READS[turn % READS.length] ?? "").replace("{id}", id) };
}

function editAt(turn: number, id: string) {
  const json = { notes: `Note ${turn}` };
  return { path: `/api/domains/${id}`, method: "PATCH", json, headers: { "If-Match": "*" } };
}

/** Sends one kind of request after the other until `signal` aborts; returns milliseconds of each. */
async function ask(client: ApiClient, id: string, kind: keyof typeof OTHERS, signal: AbortSignal) {
  const times: number[] = [];
  const { pauseMs, request } = OTHERS[kind];
  for (let turn = 0; !signal.aborted; turn += 1) {
    const { path, ...options } = request(turn, id);
    const start = performance.now();
    const response = await client.request(path, options);
    await response.arrayBuffer();
    times.push(response.ok ? performance.now() - start : Infinity);
    await Bun.sleep(pauseMs);
  }
  return times;
}

/** The nearest rank, so of less than a hundred p99 is the longest; a request that was refused is "∞". */
function describe(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]?.toFixed(0) ?? "";
  return `${at(0.5)} / ${at(0.99)} / ${at(1)}`.replaceAll("Infinity", "∞");
}

function megabytes(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`${field}:\\s*(\\d+)`).exec(status)?.[1]) / 1024);
}

/** What Postgres does by itself before long; the tests' own server has it turned off. */
async function vacuum(url: string): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  await sql`vacuum analyze`;
}

async function run(rows: number, kind: string): Promise<void> {
  await using postgres = kind === "postgres" ? await emptyPostgres() : null;
  using folder = createTemporaryFolder();
  // With as many connections as there are where nothing is said: the tests' own have few.
  const url =
    postgres?.url.replace("?max=3", "") ?? `sqlite://${join(folder.path, "register.sqlite")}`;
  await using backend = await startBackend(url);
  const { client } = backend;
  await client.setUp("let me in");
  const json = { name: "probe.test", expires: "2027-01-01" };
  const { id } = await (await client.request("/api/domains", { method: "POST", json })).json();
  const idle = megabytes(backend.pid, "VmRSS");
  console.log(`\n${kind}, ${rows} rows; ${idle} MB idle; milliseconds are p50 / p99 / longest`);
  console.log("| step | seconds | MB at most | reads | session | writes |");
  console.log("|---|--:|--:|--:|--:|--:|");

  async function measure<T>(step: string, work: () => Promise<T>): Promise<T> {
    if (postgres !== null) await vacuum(postgres.url);
    // Resets the peak of the memory: proc(5).
    writeFileSync(`/proc/${backend.pid}/clear_refs`, "5");
    const over = new AbortController();
    const asked = (["reads", "session", "writes"] as const).map((each) =>
      others === "1" ? ask(client, id, each, over.signal) : [],
    );
    const start = performance.now();
    const result = await work().finally(() => over.abort());
    const seconds = ((performance.now() - start) / 1000).toFixed(2);
    const times = (await Promise.all(asked)).map(describe).join(" | ");
    console.log(`| ${step} | ${seconds} | ${megabytes(backend.pid, "VmHWM")} | ${times} |`);
    return result;
  }

  async function importAs(what: string, file: string): Promise<string> {
    const preview = await measure(`preview (${what})`, () => previewOf(client, file));
    const done = await measure(`commit (${what})`, () => sendCommit(client, preview.id));
    if (!done.ok) throw new Error(`The commit got ${done.status}`);
    return preview.id;
  }

  await measure("nothing", () => Bun.sleep(2000));
  const added = await importAs("new", importTable(rows));
  await importAs("same", importTable(rows));
  const changed = await importAs("changed", importTable(rows, "2028"));
  await measure("undo (changed)", () => undoImport(client, changed));
  await measure("undo (new)", () => undoImport(client, added));
}

for (const kind of kinds.split(",")) {
  for (const size of sizes.split(",")) await run(Number(size), kind);
}
