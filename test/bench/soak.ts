import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable } from "../../src/server/site/build-executable.ts";
import {
  countRows,
  type Database,
  hasRows,
  readColumn,
} from "../../src/backend/database/database.ts";
import { openDatabase } from "../../src/backend/database/open-database.ts";
import { addDelivery } from "../../src/backend/reminders/deliveries.ts";
import { EMPTY_PAYLOAD } from "../../src/backend/reminders/payload.ts";
import { type ApiClient, createApiClient, OWNER } from "../support/api-client.ts";
import { accountNames, startHostileServers } from "../support/hostile-servers.ts";
import { addPeople } from "../support/people.ts";
import { emptyPostgres } from "../support/postgres.ts";
import { createRandom } from "../support/random.ts";
import { residentMemory } from "../support/resident-memory.ts";
import { PROJECT, runServer, type ServerProcess, startServer } from "../support/server-process.ts";
import { createTablespace, mountDisk } from "../support/small-disk.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import {
  type Answer,
  type Ask,
  createPerson,
  type Person,
  readJson,
  work,
  wrong,
  wrongs,
} from "./soak-people.ts";
import { median } from "./measure.ts";
import { judgeMessages, reckon } from "./soak-reckoning.ts";

/**
 * Whether the executable stays up and right: `bun test/bench/soak.ts [minutes] [sqlite|postgres]`, twice
 * on the seed that it prints with `SOAK_SEED`. Twenty people work at random, each on domains of their own,
 * of which a model knows what must be there; a request whose answer never came may have been done or not,
 * and the next look decides. Each round, of a minute, has a kill, a backup that is restored, an account at a
 * registrar, every second one a full disk, and ends with a reckoning while nobody works. What is wrong is said
 * at the end, with exit code 1. On Postgres, the second of two instances is the one that is killed; on SQLite
 * the only one, but not in the last third, whose memory is judged. The soak itself has the file open only for
 * moments: a server that starts after a kill finds it as that left it.
 */
const [minutes = "5", kind = "sqlite"] = process.argv.slice(2);
const seed = Number(process.env["SOAK_SEED"] ?? Date.now() % 1_000_000);
const TOTAL_MS = Number(minutes) * 60_000;
const ROUND_MS = Math.min(60_000, TOTAL_MS / 2);
const PEOPLE = 20;
const SETUP_CODE = "let-me-in";
const PAUSE_MS = 600;
const DISK_MEGABYTES = 4000;
/** How much higher the last third may be than the first, by medians, of a life that is long enough. */
const LEVEL = { fromMs: 180_000, growth: 1.25, bytes: 50e6, descriptors: 40 };
const MESSAGE_PAUSE_MS = 1000;
/** Longer than an attempt to send may take. */
const MAX_SILENCE_MS = 120_000;
/** The share of answers that may be 503 while there is room: on a busy machine, Postgres is late. */
const MAX_BUSY = 0.01;

interface Server {
  running: Promise<ServerProcess>;
  kills: number[];
}

const { below } = createRandom(seed);
const counts = new Map<string, Record<Answer["outcome"], number>>();
const most = { answerMs: 0, answer: "", startMs: 0 };
const full = { times: 0, until: 0 };
/** Of the first server, since it was last started. */
const samples: { at: number; bytes: number; descriptors: number }[] = [];
const state = {
  isOver: false,
  gate: Promise.resolve(),
  rounds: 0,
  backups: 0,
  busy: 0,
  pauseMs: PAUSE_MS,
};

using folder = createTemporaryFolder();
using disk = mountDisk(DISK_MEGABYTES);
await using space = kind === "postgres" && disk ? await createTablespace(disk.path) : null;
await using postgres = kind === "postgres" && !disk ? await emptyPostgres() : null;
const file = join(disk?.path ?? folder.path, "register.sqlite");
const databaseUrl = (space?.url ?? postgres?.url ?? `sqlite://${file}`).replace("?max=3", "");
const executable = process.env["TEST_EXECUTABLE"] ?? join(folder.path, "built/freehold");
if (!process.env["TEST_EXECUTABLE"]) await buildExecutable(PROJECT, executable);

await using others = await startHostileServers(createRandom(seed), folder.path);
const env = {
  ...others.env,
  DATABASE_URL: databaseUrl,
  SETUP_CODE,
  CREDENTIALS_KEY: Buffer.alloc(32, 7).toString("base64"),
  LOG: "quiet",
};

const serverOf = (at: number) => servers[at % servers.length] as Server;
const servers = Array.from({ length: kind === "postgres" ? 2 : 1 }, () => {
  const server: Server = { running: startServer(env, { executable }), kills: [] };
  return server;
});
await using stack = new AsyncDisposableStack();
stack.defer(stopAll);

async function stopAll() {
  for (const { running } of servers) await end(await running, "SIGTERM");
}

/** What a server may write: where it is, and outages. Anything else is something unexpected. */
const USUAL =
  /^$|^Freehold production on |^\/api\/ is answered |^Set it up at |^The database .+ (?:cannot be written: its disk is full|did not answer within|is back\.)/;

async function end(server: ServerProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const code = await server.stop(signal);
  if (signal === "SIGTERM" && code !== 0) wrong(`A server that was stopped ended with ${code}`);
  const lines = server.output().split("\n");
  const at = lines.findIndex((line) => !USUAL.test(line));
  if (at >= 0) wrong(`A server wrote ${lines.slice(at).join("\n")}`);
  await server[Symbol.asyncDispose]();
}

/** Ends a server, waits until Postgres has ended what it had begun, and starts it, once there is room. */
async function startAgain(died: ServerProcess): Promise<ServerProcess> {
  await end(died, "SIGKILL");
  const at = Date.now();
  if (kind === "postgres") while (await isOpen(at)) await Bun.sleep(10);
  for (;;) {
    const began = performance.now();
    try {
      const server = await startServer(env, { executable });
      most.startMs = Math.max(most.startMs, performance.now() - began);
      return server;
    } catch (error) {
      if (full.until <= began) wrong(`A server did not start: ${error}`);
      await Bun.sleep(500);
    }
  }
}

const isOpen = (at: number) =>
  withDatabase((database) =>
    database.read((sql) =>
      hasRows(sql`select 1 from pg_stat_activity
        where xact_start < ${new Date(at)} and datname = current_database()`),
    ),
  );

async function withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(databaseUrl);
  return use(database).finally(() => database.close());
}

/** Kills a server; those who ask it wait until it runs again, and what it had begun has ended. */
async function kill(server: Server): Promise<void> {
  const died = await server.running;
  // Many are in the middle of something.
  state.pauseMs = 1;
  await Bun.sleep(500);
  state.pauseMs = PAUSE_MS;
  server.kills.push(Date.now());
  server.running = startAgain(died);
  await server.running;
  if (server === servers[0]) samples.length = 0;
}

/** Asks the server that a client belongs to, once it runs. */
const askBy =
  (client: ApiClient, server: Server): Ask =>
  async (what, path, { mayBe = [], ...options } = {}) => {
    let { running } = server;
    let { url } = await running;
    // Killed at this very moment.
    while (running !== server.running) ({ url } = await (running = server.running));
    const { length: kills } = server.kills;
    const began = performance.now();
    const note = (outcome: Answer["outcome"]) => {
      counts.getOrInsert(what, { done: 0, refused: 0, lost: 0 })[outcome] += 1;
      const answerMs = performance.now() - began;
      if (answerMs > most.answerMs) Object.assign(most, { answerMs, answer: what });
    };
    const called = `${options.method ?? "GET"} ${path}`;
    try {
      const send = () => client.request(url + path, options);
      let response = await send();
      if (response.status === 403 && (await response.clone().json()).proof === true) {
        // As the page does.
        const json = { password: OWNER.password };
        const proof = await client.post(`${url}/api/token/prove`, json);
        response = proof.ok ? await send() : proof;
      }
      const text = await response.text();
      note(response.ok ? "done" : "refused");
      if (response.ok) return { outcome: "done", text };
      // An export is noted in the audit log.
      const isWrite = options.method !== undefined || what === "csv";
      const isFull = full.until > began && isWrite;
      if (response.status === 503) state.busy += isFull ? 0 : 1;
      else if (!mayBe.includes(response.status)) {
        wrong(`${called} got ${response.status} ${text}`);
      }
      return { outcome: "refused" };
    } catch (error) {
      note("lost");
      if (server.kills.length > kills) return { outcome: "lost" };
      // A file that has begun can say in no other way that the database is late.
      if (what === "csv") state.busy += 1;
      else wrong(`${called} got no answer: ${error}`);
      return { outcome: "lost" };
    }
  };

async function live(person: Person): Promise<void> {
  while (!state.isOver) {
    await Bun.sleep(person.random.below(2 * state.pauseMs));
    await state.gate;
    person.working = work(person).catch((error: unknown) => wrong(`${person.owner} ${error}`));
    await person.working;
  }
}

const first = await serverOf(0).running;
const owner = createApiClient(first.url);
if (!(await owner.setUp(SETUP_CODE)).ok) throw new Error("The owner was not set up");
const emails = Array.from({ length: PEOPLE }, (_, at) => ({ email: `p${at}@example.com` }));
await withDatabase((database) => database.write((sql) => addPeople(sql, emails)));
const people: Person[] = [];
for (const [at, { email }] of emails.entries()) {
  const client = createApiClient(first.url);
  await client.request("/api/token");
  const json = { email, password: OWNER.password };
  const { ok } = await client.post("/api/token", json);
  if (!ok) throw new Error(`${email} was not signed in`);
  people.push(createPerson(at, createRandom(seed + 1 + at), askBy(client, serverOf(at))));
}
// As if they had confirmed their passwords long ago.
await withDatabase((database) =>
  database.write((sql) => sql`update sessions set proved_at = ${new Date(0).toISOString()}`),
);
const boss = createPerson(0, createRandom(seed), askBy(owner, serverOf(0)));
const channel = { kind: "mail", name: "Ops", target: "ops@example.com", changes: true };
const created = await boss.ask("channel", "/api/channels", { method: "POST", json: channel });
if (created.outcome !== "done") throw new Error("There is no channel");
const channelId: string = JSON.parse(created.text).id;
await boss.ask("reminders", "/api/reminders", { method: "PUT", json: { hour: 8 } });

/** Messages of which one after the other becomes due in the round to come. */
function remind(): Promise<void> {
  const about = { channelId, type: "channel.test", payload: EMPTY_PAYLOAD } as const;
  const now = Date.now();
  return withDatabase((database) =>
    database.write(async (sql) => {
      for (let after = 0; after < ROUND_MS; after += MESSAGE_PAUSE_MS) {
        const at = new Date(now + after);
        await addDelivery(sql, { ...about, key: `soak ${at.toISOString()}`, at });
      }
    }),
  );
}

/** Waits until all is sent that is due: on a busy machine, that takes as long as it takes. */
async function drain(): Promise<void> {
  for (let least = Infinity, at = performance.now(); ;) {
    const now = new Date().toISOString();
    const due = await withDatabase((database) =>
      database.read((sql) =>
        countRows(
          sql,
          // What a killed server leases waits a minute longer.
          sql`deliveries where state = 'pending' and due_at <= ${now}
            and (leased_until is null or leased_until <= ${now})`,
        ),
      ),
    );
    if (due === 0) return;
    if (due < least) at = performance.now();
    least = Math.min(least, due);
    if (performance.now() - at > MAX_SILENCE_MS)
      return wrong(`${due} messages are due, none is sent`);
    await Bun.sleep(500);
  }
}

async function watch(): Promise<void> {
  while (!state.isOver) {
    const { pid } = await serverOf(0).running;
    try {
      const descriptors = readdirSync(`/proc/${pid}/fd`).length;
      samples.push({ at: performance.now(), bytes: residentMemory(pid), descriptors });
    } catch {
      // Killed since.
    }
    await Bun.sleep(500);
  }
}

async function fillDisk(): Promise<void> {
  if (disk === null) return;
  full.times += 1;
  full.until = Infinity;
  disk.fill();
  await Bun.sleep(ROUND_MS / 12);
  disk.makeRoom();
  full.until = performance.now();
}

/** The one line of a backup that the database has no room for: it is written, if its note alone is not. */
const FULL_DISK = /^(?:\S+ is written, but the|The) database .+\n$/;

/** Makes a backup. Returns the register that it was restored into. */
async function backUp(): Promise<string> {
  state.backups += 1;
  const archive = join(folder.path, `${state.backups}.tar`);
  const began = performance.now();
  const run = (own: typeof env, ...args: string[]) =>
    runServer(own, { executable, args, patienceMs: ROUND_MS * 10 });
  const { exitCode, stderr } = await run(env, "backup", archive);
  const isFull = full.until > began && FULL_DISK.test(stderr);
  if (exitCode !== 0 && !isFull) wrong(`A backup ended with ${exitCode}: ${stderr}`);
  const url = `sqlite://${join(folder.path, `${state.backups}.sqlite`)}`;
  if (!existsSync(archive)) return url;
  const restored = await run({ ...env, DATABASE_URL: url }, "restore", archive);
  if (restored.exitCode !== 0) wrong(`A backup is not restored: ${restored.stderr}`);
  rmSync(archive);
  return url;
}

const accounts: string[] = [];
const accepted = new Set<string>();
/** Adds what accounts list, and one account more. */
async function readAccounts(): Promise<void> {
  const { items } = await readJson(boss, "accounts", "/api/accounts");
  for (const {
    id,
    label,
    counts: { new: expectedCount },
  } of items) {
    if (expectedCount === 0) continue;
    const json = { all: true, expectedCount };
    const options = { method: "POST", json, mayBe: [409] };
    const { outcome } = await boss.ask("accept", `/api/accounts/${id}/accept`, options);
    if (outcome === "done") for (const name of accountNames(label)) accepted.add(name);
  }
  const label = String(accounts.length);
  accounts.push(label);
  const json = { registrar: "dnsimple", label, fields: { token: label }, test: false };
  await boss.ask("account", "/api/accounts", { method: "POST", json });
}

const reckonBy = (who: Person) =>
  reckon(who, people, { listed: accounts.flatMap(accountNames), accepted });

async function pause(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  state.gate = promise;
  await Promise.all(people.map(({ working }) => working));
  await reckonBy(boss);
  state.rounds += 1;
  resolve();
}

/** What a backup that was made while nobody worked has restored must be all that there is. */
async function reckonRestored(): Promise<void> {
  const fresh = { ...env, DATABASE_URL: await backUp() };
  const server: Server = { running: startServer(fresh, { executable }), kills: [] };
  const client = createApiClient((await server.running).url);
  try {
    if (!(await client.signIn()).ok) wrong("The owner of a restored register cannot sign in");
    await reckonBy(createPerson(0, createRandom(seed), askBy(client, server)));
  } finally {
    await end(await server.running, "SIGTERM");
  }
}

const over = performance.now() + TOTAL_MS;
const lives = people.map(live);
const watching = watch();
try {
  while (performance.now() < over) {
    await remind();
    const sometime = async (act: () => Promise<unknown>) => {
      await Bun.sleep(below(ROUND_MS / 2));
      await act().catch((error: unknown) => wrong(String(error)));
    };
    const works: (() => Promise<unknown>)[] = [backUp, readAccounts];
    const isOnly = servers.length === 1;
    const victim = serverOf(servers.length - 1);
    if (!isOnly || performance.now() < over - TOTAL_MS / 3) works.push(() => kill(victim));
    if (state.rounds % 2 === 1) works.push(fillDisk);
    await Promise.all([...works.map(sometime), Bun.sleep(ROUND_MS)]);
    await pause();
  }
} finally {
  state.isOver = true;
}
await Promise.all([...lives, watching]);
await pause();
await drain();
await stopAll();

const kills = servers.flatMap((server) => server.kills);
const again = await withDatabase(async (database) => {
  if (kind === "sqlite") {
    const found = await database.read((sql) => readColumn(sql`pragma integrity_check`));
    if (found.join() !== "ok") wrong(`The file is damaged: ${found.join()}`);
    await database
      .write((sql) => sql`insert into domain_words (domain_words) values ('integrity-check')`)
      .catch((error: unknown) => wrong(`The index of the search is damaged: ${error}`));
  }
  const deliveries = await database.read(
    (sql) => sql<{ id: string; state: string }[]>`select id, state from deliveries`,
  );
  return judgeMessages(deliveries, others.mails, kills);
});
await reckonRestored().catch((error: unknown) => wrong(`A restored register: ${error}`));

const start = samples[0]?.at ?? over;
const third = (over - start) / 3;
const height = (of: "bytes" | "descriptors", from: number, to: number) =>
  median(samples.filter(({ at }) => from <= at && at < to).map((each) => each[of]));
const [memory, descriptors] = (["bytes", "descriptors"] as const).map(
  (of) => [height(of, start, start + third), height(of, over - third, Infinity)] as const,
) as [[number, number], [number, number]];
const isLong = over - start >= LEVEL.fromMs;
const all = [...counts.values()].reduce((sum, each) => sum + each.done, 0);
if (TOTAL_MS >= LEVEL.fromMs && state.busy > all * MAX_BUSY)
  wrong("The database is often not available");
if (isLong && memory[1] > memory[0] * LEVEL.growth + LEVEL.bytes) wrong("Memory grows");
if (isLong && descriptors[1] > descriptors[0] + LEVEL.descriptors) wrong("Descriptors grow");

console.log(
  `| ${kind}, ${minutes} minutes, seed ${seed} | done | refused | lost |\n| --- | --: | --: | --: |`,
);
for (const [what, { done, refused, lost }] of [...counts].toSorted()) {
  console.log(`| ${what} | ${done} | ${refused} | ${lost} |`);
}
const megabytes = memory.map((bytes) => Math.round(bytes / 1e6));
console.log(`
${state.rounds} reckonings, ${kills.length} kills, ${full.times} full disks, ${state.backups} backups, ${others.mails.size} messages (${again} again after a kill)
longest start ${Math.round(most.startMs)} ms, longest answer ${Math.round(most.answerMs)} ms (${most.answer}), ${state.busy} times 503 without a full disk
memory ${megabytes.join(" → ")} MB, descriptors ${descriptors.join(" → ")}`);
for (const what of wrongs) console.error(`WRONG: ${what}`);
process.exitCode = wrongs.size > 0 ? 1 : 0;
