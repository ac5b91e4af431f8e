import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, spyOn, test as once } from "bun:test";
import { verifyArchive } from "../../src/backend/backup/archive.ts";
import { backUp } from "../../src/backend/backup/backup.ts";
import { UnavailableError } from "../../src/backend/database/database-error.ts";
import { csvFile } from "../../src/backend/http/responses.ts";
import { createLoop } from "../../src/backend/jobs/loop.ts";
import { createOutbox } from "../../src/backend/reminders/outbox.ts";
import { openDatabase } from "../../src/backend/database/open-database.ts";
import { type ApiClient } from "../support/api-client.ts";
import { startBackend } from "../support/backend-server.ts";
import { databaseKind, onSqlite, test } from "../support/both-databases.ts";
import { emptyDatabase, openRegister } from "../support/empty-database.ts";
import { hasPostgres, preparedPostgres } from "../support/postgres.ts";
import { runServer } from "../support/server-process.ts";
import { canMount, databaseOnSmallDisk, mountDisk } from "../support/small-disk.ts";
import { spawnBackend } from "../support/spawn-backend.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { reading, startAccounts } from "../support/accounts.ts";
import { startChecked } from "../support/checked-backend.ts";
import { future } from "../support/future.ts";
import { addWaiting, OPTIONS, readDeliveries, startReceiver } from "./reminders/simulate-kills.ts";

const UPLOAD_BYTES = 600_000;

/** The lines of the log that tell of trouble, which are not shown. */
function catchLog() {
  const errors = spyOn(console, "error").mockImplementation(() => undefined);
  const infos = spyOn(console, "log").mockImplementation(() => undefined);
  const textOf = (spy: typeof errors) => spy.mock.calls.map(([line]) => String(line));
  return {
    errors: () => textOf(errors),
    infos: () => textOf(infos),
    [Symbol.dispose]() {
      errors.mockRestore();
      infos.mockRestore();
    },
  };
}

function addName(client: ApiClient, name: string) {
  // So long that few fit into what pages have left.
  return client.post("/api/domains", { name, tags: ["a"], notes: "note ".repeat(400) });
}

/** Adds names until that fails; returns the refusal. */
async function addUntilRefused(client: ApiClient, acknowledged: string[]): Promise<Response> {
  for (;;) {
    const name = `n${acknowledged.length}.example`;
    const response = await addName(client, name);
    if (response.status !== 201) return response;
    acknowledged.push(name);
  }
}

function upload(client: ApiClient) {
  const form = new FormData();
  form.append("file", new Blob(["a.example\n".repeat(UPLOAD_BYTES / 10)]), "names.csv");
  return client.request("/api/upload/post", { method: "POST", body: form });
}

async function expectDiskTrouble(response: Response) {
  expect(response.status).toBe(503);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(response.headers.get("retry-after")).toBe("1");
  expect((await response.json()).detail).toBe(
    "Nothing was saved: the database’s disk is full or failing. The server’s operator has to free some space.",
  );
}

const FULL = /^The database .+ cannot be written: its disk is full, make room$/;

/** The line with which a command fails. */
async function runCommand(databaseUrl: string, ...args: string[]) {
  const { exitCode, stderr } = await runServer({ DATABASE_URL: databaseUrl }, { args });
  expect(exitCode).toBe(1);
  return stderr.trim();
}

describe.skipIf(!canMount)("A disk that is full", () => {
  test("costs writes until there is room, nothing that was acknowledged, and one line of the log", async () => {
    await using disk = await databaseOnSmallDisk();
    await using server = await startBackend({ databaseUrl: disk.url, instances: 1 });
    const client = await server.owner();
    const acknowledged: string[] = [];
    using log = catchLog();
    disk.fill();
    await expectDiskTrouble(await addUntilRefused(client, acknowledged));
    await expectDiskTrouble(await upload(client));
    const reason = "the database cannot be written: its disk is full, make room";
    expect(await server.backend.ready()).toBe(reason);
    expect((await client.request("/api/domains?q=example")).status).toBe(200);
    await expectDiskTrouble(await addUntilRefused(client, acknowledged));
    expect(log.errors()).toEqual([expect.stringMatching(/^The database .+ its disk is full/)]);

    disk.makeRoom();
    expect((await addName(client, "last.example")).status).toBe(201);
    expect((await upload(client)).status).toBe(201);
    while ((await server.backend.ready()) !== true) await Bun.sleep(50);
    expect(log.infos()).toEqual([expect.stringMatching(/^The database .+ is back/)]);
    expect(log.errors()).toHaveLength(1);
    // Found by the search, too: its index was written with each row, or neither.
    const total = acknowledged.length + 1;
    expect(await client.json("/api/domains?q=example&limit=1")).toMatchObject({ total });
    if (databaseKind() === "postgres") return;
    const database = await openDatabase(disk.url);
    await database.write(
      (sql) => sql`insert into domain_words (domain_words) values ('integrity-check')`,
    );
    await database.close();
  });

  once("fails a backup to it in one line, and holds no part of that", async () => {
    using disk = mountDisk(1);
    await using server = await startBackend({});
    await upload(await server.owner());
    const filled = join(disk?.path ?? "", "ballast");
    await Bun.write(filled, new Uint8Array(800_000));
    const failure = backUp(server.databaseUrl, join(disk?.path ?? "", "a.tar"));
    await expect(failure).rejects.toThrow("/a.tar cannot be written (ENOSPC)");
    expect(readdirSync(disk?.path ?? "")).toEqual(["ballast"]);
  });

  onSqlite("costs a backup its note only, and each command no more than one line", async () => {
    await using disk = await databaseOnSmallDisk();
    await using server = await startBackend({ databaseUrl: disk.url });
    await addName(await server.owner(), "a.example");
    // Cuts the write-ahead log, in which the next write would find room.
    await (await openDatabase(disk.url)).close();
    disk.fill();
    using folder = createTemporaryFolder();
    const path = join(folder.path, "a.tar");
    const noted = /^\S+a\.tar is written, but the database .+: its disk is full, make room$/;
    expect(await runCommand(disk.url, "backup", path)).toMatch(noted);
    await verifyArchive(path);
    expect(await runCommand(disk.url, "owner", "reset")).toMatch(FULL);

    using small = mountDisk(1);
    await Bun.write(join(small?.path ?? "", "ballast"), new Uint8Array(800_000));
    const databaseUrl = `sqlite://${join(small?.path ?? "", "restored.sqlite")}`;
    expect(await runCommand(databaseUrl, "restore", path)).toMatch(FULL);
  });
});

once("an outage breaks off a file that has begun, and is not logged with it again", async () => {
  using log = catchLog();
  for (const error of [new UnavailableError("did not answer"), new Error("Oh")]) {
    const begun = Promise.withResolvers<void>();
    const texts = async function* () {
      yield "Domain\n";
      await begun.promise;
      throw error;
    };
    const fetch = () => csvFile(`${error.name}.csv`, texts());
    await using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
    const response = await globalThis.fetch(server.url);
    begun.resolve();
    await expect(response.text()).rejects.toThrow();
  }
  expect(log.errors()).toEqual([expect.stringMatching(/^Error\.csv could not be finished/)]);
});

once("an outage that meets a message as it is written is not logged with it again", async () => {
  await using register = await openRegister();
  const { database } = register;
  await addWaiting(database, { kind: "webhook", target: "http://127.0.0.1:1/", count: 2 });
  using log = catchLog();
  const loop = createLoop();
  const errors = [new UnavailableError("did not answer"), new Error("Oh")];
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  const deliver = async () => {
    const error = errors.pop();
    if (errors.length === 0) resolve();
    throw error;
  };
  createOutbox(database, deliver, { loop, clock: undefined, pollMs: 20 });
  await failed;
  await loop.stop();
  expect(log.errors()).toEqual([expect.stringMatching(/^The message .+ failed/)]);
});

once("a file that may not grow costs writes only", async () => {
  await using place = await emptyDatabase({ kind: "sqlite" });
  // In blocks of 512 bytes; the empty register takes two thirds.
  const before = ["sh", "-c", 'ulimit -f 6000; exec "$@"', "sh"];
  await using limited = await spawnBackend(place.url, { before, stderr: "ignore" });
  const { client } = limited;
  await client.setUp("let me in");
  const acknowledged: string[] = [];
  await expectDiskTrouble(await addUntilRefused(client, acknowledged));
  expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: acknowledged.length });
});

/** Makes Postgres fail as on a full disk when rows are changed so, until `makeRoom`. */
async function failOn(event: string) {
  const postgres = await preparedPostgres();
  await postgres.database.write(async (sql) => {
    await sql.unsafe(`create function fail() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
    await sql.unsafe(`create trigger fail before ${event} execute function fail()`);
  });
  let isFull = true;
  const makeRoom = async () => {
    if (isFull) await postgres.database.write((sql) => sql`drop function fail cascade`);
    isFull = false;
  };
  return {
    ...postgres,
    makeRoom,
    async [Symbol.asyncDispose]() {
      await makeRoom();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(!hasPostgres)("Postgres that says that its disk is full", () => {
  once("gets a message noted that was sent meanwhile, which is not sent again", async () => {
    const sent = "update on deliveries for each row when (new.state = 'sent')";
    await using postgres = await failOn(sent);
    await using receiver = startReceiver(1);
    using log = catchLog();
    await addWaiting(postgres.database, { kind: "webhook", target: receiver.url, count: 3 });
    const databaseUrl = postgres.url;
    await using _ = await startBackend({ databaseUrl, instances: 1, reminders: OPTIONS });
    while (receiver.counts.size < 1 || log.errors().length < 1) await Bun.sleep(20);
    await postgres.makeRoom();
    const states = async () => (await readDeliveries(postgres.database)).map(({ state }) => state);
    while ((await states()).some((state) => state !== "sent")) await Bun.sleep(50);
    expect(new Set(receiver.counts.values())).toEqual(new Set([1]));
    expect(await states()).toHaveLength(receiver.counts.size);
    expect(log.errors()).toHaveLength(1);
  });

  once("says nothing about a domain whose check cannot be saved", async () => {
    await using postgres = await failOn("update on checks for each row when (new.outcome = 'ok')");
    await using checked = await startChecked({ databaseUrl: postgres.url });
    using log = catchLog();
    checked.registry.names.set("a.com", { expires: future("2027-12-01T10:00:00Z") });
    await checked.add({ name: "a.com" });
    await expect(checked.step()).rejects.toThrow("could not extend");
    const outcome = async () => (await checked.read("a.com")).checks["registry"]?.outcome;
    expect(await outcome()).not.toBe("malformed");
    expect(log.errors()).toHaveLength(1);
    await postgres.makeRoom();
    await checked.step();
    expect(await outcome()).toBe("ok");
  });

  once("gets an account's list once there is room, without asking again", async () => {
    await using postgres = await failOn("insert on account_names for each row");
    await using accounts = await startAccounts({ databaseUrl: postgres.url });
    using log = catchLog();
    accounts.readings.set("A", reading([{ name: "a.example" }]));
    const { id } = await accounts.add("A");
    const stepped = accounts.step();
    while (log.errors().length < 1) await Bun.sleep(20);
    await postgres.makeRoom();
    await stepped;
    expect(await accounts.show(id)).toMatchObject({ outcome: "ok" });
    expect(accounts.calls).toEqual(["A"]);
    expect(log.errors()).toHaveLength(1);
  });
});
