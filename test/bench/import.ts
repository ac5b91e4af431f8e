import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createApiClient, type ApiClient } from "../support/api-client.ts";
import { importTable } from "../support/import-table.ts";
import { previewOf, sendCommit, undoImport } from "../support/import-client.ts";
import { emptyPostgres } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/**
 * What an import takes and what others notice of it: `bun run bench:import [rows] [sqlite|postgres]`.
 * The backend is a process of its own; a reader asks it for the first page all the while, and a
 * writer adds a name now and then.
 */
const rows = Number(process.argv[2] ?? 20_000);
const kind = process.argv[3] ?? "sqlite";
const SERVER = join(import.meta.dir, "..", "support", "serve-backend.ts");

/** Milliseconds of every request of a kind, sent one after the other until it is stopped. */
class Probe {
  readonly times: number[] = [];
  #stopped = false;
  readonly #done: Promise<void>;

  constructor(request: () => Promise<Response>, pause: number) {
    this.#done = this.#run(request, pause);
  }

  async #run(request: () => Promise<Response>, pause: number) {
    while (!this.#stopped) {
      const start = performance.now();
      const response = await request();
      await response.arrayBuffer();
      this.times.push(performance.now() - start);
      if (!response.ok) throw new Error(`The probe got ${response.status}`);
      await Bun.sleep(pause);
    }
  }

  async stop(): Promise<string> {
    this.#stopped = true;
    await this.#done;
    const sorted = this.times.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(1);
    return `p50 ${at(0.5)} p99 ${at(0.99)} max ${at(1)} ms of ${sorted.length}`;
  }
}

function resident(pid: number, field: "VmRSS" | "VmHWM"): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kibibytes = Number(new RegExp(`${field}:\\s*(\\d+)`).exec(status)?.[1]);
  return `${Math.round(kibibytes / 1024)} MB`;
}

let added = 0;

/** Does one thing while others read and write, and prints how long it took and what they noticed. */
async function measure<T>(client: ApiClient, what: string, work: () => Promise<T>): Promise<T> {
  const reader = new Probe(() => client.request("/api/domains?limit=50&sort=name"), 2);
  const writer = new Probe(() => {
    const json = { name: `probe-${(added += 1)}.test` };
    return client.request("/api/domains", { method: "POST", json });
  }, 50);
  const start = performance.now();
  const result = await work();
  const time = `${Math.round(performance.now() - start)} ms`.padStart(9);
  console.log(`${what.padEnd(18)} ${time}  reads ${await reader.stop()}`);
  console.log(`${" ".repeat(30)}writes ${await writer.stop()}`);
  return result;
}

await using postgres = kind === "postgres" ? await emptyPostgres() : null;
using folder = createTemporaryFolder();
const databaseUrl = postgres?.url ?? `sqlite://${join(folder.path, "register.sqlite")}`;
const child = Bun.spawn([process.execPath, SERVER, databaseUrl, String(2 ** 30)], {
  cwd: folder.path,
  stdout: "pipe",
  stderr: "inherit",
});
try {
  const { value } = await child.stdout.getReader().read();
  const client = createApiClient(`http://127.0.0.1:${new TextDecoder().decode(value).trim()}`);
  await client.setUp("let me in");
  const [file, later] = [importTable(rows), importTable(rows, "2028")];
  const megabytes = (file.length / 1e6).toFixed(1);
  console.log(`${kind}, ${rows} rows, ${megabytes} MB; resident ${resident(child.pid, "VmRSS")}`);
  await measure(client, "nothing", () => Bun.sleep(1500));

  const preview = await measure(client, "preview (new)", () => previewOf(client, file));
  const done = await measure(client, "commit", () => sendCommit(client, preview.id));
  if (!done.ok) throw new Error(`The commit got ${done.status}`);
  await measure(client, "preview (same)", () => previewOf(client, file));
  const changed = await measure(client, "preview (changed)", () => previewOf(client, later));
  await measure(client, "commit", () => sendCommit(client, changed.id));
  await measure(client, "undo (changed)", () => undoImport(client, changed.id));
  await measure(client, "undo (new)", () => undoImport(client, preview.id));
  console.log(`resident at most ${resident(child.pid, "VmHWM")}`);
} finally {
  child.kill();
  await child.exited;
}
