import { writeFileSync } from "node:fs";
import type { DatabaseKind } from "../support/both-databases.ts";
import { emptyDatabase } from "../support/empty-database.ts";
import { previewOf, sendCommit, undoImport } from "../support/import-client.ts";
import { importTable } from "../support/import-table.ts";
import { residentMemory } from "../support/resident-memory.ts";
import { spawnBackend } from "../support/spawn-backend.ts";
import { vacuum, watchOthers } from "./measure.ts";

/**
 * What an import takes and what others notice of it:
 * `bun run bench:import [rows,…] [sqlite,postgres] [others: 1 or 0]`. The backend is a process of its own.
 * New names are imported, the same file again, then with other days, and all of it is taken back.
 */
const [sizes = "20000,200000", kinds = "sqlite,postgres", asks = "1"] = process.argv.slice(2);

const inMegabytes = (bytes: number) => Math.round(bytes / 1024 ** 2);

async function run(rows: number, kind: DatabaseKind): Promise<void> {
  await using place = await emptyDatabase({ kind });
  // With as many connections as there are where nothing is said: the tests' own have few.
  const url = place.url.replace("?max=3", "");
  await using backend = await spawnBackend(url);
  const { client } = backend;
  const { pid } = backend.child;
  await client.setUp("let me in");
  const json = { name: "probe.test", expires: "2027-01-01" };
  const { id } = await (await client.post("/api/domains", json)).json();
  const idle = inMegabytes(residentMemory(pid));
  console.log(`\n${kind}, ${rows} rows; ${idle} MB idle; milliseconds are p50 / p99 / longest`);
  console.log("| step | seconds | MB at most | reads | edits |\n|---|--:|--:|--:|--:|");

  async function measure<T>(step: string, work: () => Promise<T>): Promise<T> {
    if (kind === "postgres") await vacuum(url);
    // Resets the peak of the memory: proc(5).
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    const start = performance.now();
    const working = work();
    const none = { reads: "", edits: "" };
    const others = asks === "1" ? await watchOthers(client, id, () => working) : none;
    const result = await working;
    const seconds = ((performance.now() - start) / 1000).toFixed(2);
    const cells = [
      step,
      seconds,
      inMegabytes(residentMemory(pid, "VmHWM")),
      others.reads,
      others.edits,
    ];
    console.log(`| ${cells.join(" | ")} |`);
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

for (const kind of ["sqlite", "postgres"] as const) {
  if (!kinds.includes(kind)) continue;
  for (const size of sizes.split(",")) await run(Number(size), kind);
}
// The connections of `both-databases.ts` would keep the process.
process.exit(0);
