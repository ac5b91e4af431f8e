import { join } from "node:path";
import { openDatabase } from "../../src/backend/database/database.ts";
import { migrate } from "../../src/backend/database/migrate.ts";
import { createApiClient, type ApiClient } from "../support/api-client.ts";
import { fillRegister } from "../support/fill-register.ts";
import { importFile } from "../support/import-client.ts";
import { emptyPostgres } from "../support/postgres.ts";
import { startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/**
 * What a busy register costs everybody else: `bun test/bench/busy.ts [names] [sqlite|postgres]`. The
 * real server, whose `/healthz` is asked every 5 ms, while forty summaries are asked for at once, each
 * reader reads alone, the register is exported, and fifty readers read beside a backup, an import and
 * a bulk change of as many names.
 */
const names = Number(process.argv[2] ?? 20_000);
const kinds = process.argv[3] === undefined ? ["sqlite", "postgres"] : [process.argv[3]];

const READERS = 50;

const READS = [
  "/api/domains",
  "/api/domains?sort=name&limit=50",
  "/api/domains?q=name-1&sort=-expires,name",
  "/api/domains?work=undecided",
  "/api/domains?sort=-price",
  "/api/summary",
  "/api/facets",
  "/api/costs",
  "/api/domains/cost",
  "/api/imports",
];

/** Asks `/healthz` every 5 ms until `work` ends, and prints what the answers took. */
async function watch(what: string, url: string, work: () => Promise<string | void>): Promise<void> {
  const waits: number[] = [];
  const asked: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    const start = performance.now();
    const answer = fetch(`${url}/healthz`).then((response) => response.arrayBuffer());
    asked.push(answer.then(() => waits.push(performance.now() - start)));
  }, 5);
  const start = performance.now();
  const said = (await work().finally(() => clearInterval(timer))) ?? "";
  const took = Math.round(performance.now() - start);
  await Promise.all(asked);
  console.log(
    `${what.padEnd(44)} ${String(took).padStart(6)} ms  /healthz ${spread(waits)} ${said}`,
  );
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(1);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ms`;
}

async function get(client: ApiClient, path: string): Promise<void> {
  const response = await client.request(path);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} got ${response.status}`);
}

/** What `count` readers wait who ask one after the other until `work` ends. */
async function beside(client: ApiClient, count: number, work: () => Promise<void>) {
  const waits: number[] = [];
  const state = { done: false };
  const readers = Array.from({ length: count }, async (_, index) => {
    for (let turn = index; !state.done; turn += 1) {
      const start = performance.now();
      await get(client, READS[turn % READS.length] ?? "");
      waits.push(performance.now() - start);
    }
  });
  await work().finally(() => (state.done = true));
  await Promise.all(readers);
  return `reads ${waits.length}: ${spread(waits)}`;
}

async function measure(kind: string): Promise<void> {
  await using postgres = kind === "postgres" ? await emptyPostgres() : null;
  using folder = createTemporaryFolder();
  const databaseUrl =
    postgres?.url.replace("?max=3", "") ?? `sqlite://${join(folder.path, "a.sqlite")}`;
  const filled = await openDatabase(databaseUrl);
  await migrate(filled);
  await fillRegister(filled, names);
  // The tests' own Postgres has no autovacuum, which would do this.
  if (postgres !== null) await filled.write((sql) => sql`analyze`);
  await filled.close();
  const env = {
    DATABASE_URL: databaseUrl,
    SETUP_CODE: "let-me-in",
    LOG: "quiet",
    MAX_UPLOAD_BYTES: "100000000",
  };
  const client = createApiClient("http://unused.test");
  {
    await using server = await startServer(env);
    const first = createApiClient(server.url);
    const answer = await first.setUp("let-me-in");
    if (!answer.ok) throw new Error(`The set-up got ${answer.status}`);
  }
  await using server = await startServer({ ...env, BACKUP_DIR: folder.path });
  Object.assign(client, createApiClient(server.url));
  await client.signIn();
  console.log(`${names} names on ${kind}`);
  const times = (count: number, path: string) =>
    watch(`${count} × ${path}`, server.url, async () => {
      await Promise.all(Array.from({ length: count }, () => get(client, path)));
    });
  await times(40, "/api/summary");
  for (const path of READS) await times(10, path);
  await watch("CSV of all", server.url, async () => {
    const start = performance.now();
    const response = await client.request("/api/domains.csv");
    let [first, bytes] = [0, 0];
    for await (const chunk of response.body ?? []) {
      first ||= performance.now() - start;
      bytes += chunk.byteLength;
    }
    return `first byte ${first.toFixed(0)} ms, ${(bytes / 1e6).toFixed(1)} MB`;
  });
  await watch("10 readers and a CSV of all", server.url, () =>
    beside(client, 10, () => get(client, "/api/domains.csv")),
  );
  const rows = Array.from(
    { length: names },
    (_, index) => `new-${index}.example,2027-05-01,Gandi\r\n`,
  );
  const file = `Domain,Expires,Registrar\r\n${rows.join("")}`;
  await watch("50 readers, import, bulk change, backup", server.url, () =>
    beside(client, READERS, async () => {
      const bulk = async () => {
        const op = { kind: "edit", decision: "watch", owner: "Somebody", addTags: ["new"] };
        const select = { filter: { tld: ["com"] }, expectedCount: names / 10 };
        const answer = await client.request("/api/domains/bulk", {
          method: "POST",
          json: { select, op },
        });
        if (!answer.ok) throw new Error(`The change got ${answer.status}`);
      };
      const backup = async () => {
        const backing = Bun.spawn(
          [process.execPath, "server.ts", "backup", join(folder.path, "b.tar")],
          {
            env: { ...process.env, ...env },
            stdout: "ignore",
          },
        );
        if ((await backing.exited) !== 0) throw new Error("The backup failed");
      };
      await Promise.all([importFile(client, file), bulk(), backup()]);
    }),
  );
}

for (const kind of kinds) await measure(kind);
