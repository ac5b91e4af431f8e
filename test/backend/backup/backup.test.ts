import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SQL } from "bun";
import { describe, expect, spyOn, test as bunTest } from "bun:test";
import { createArchive, readArchive, verifyArchive } from "../../../src/backend/backup/archive.ts";
import { keepBackups, TABLES, writeBackup } from "../../../src/backend/backup/backup.ts";
import { restoreBackup } from "../../../src/backend/backup/restore.ts";
import type { Database } from "../../../src/backend/database/database.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { listTables, NEWEST_SCHEMA } from "../../../src/backend/database/migrate.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { databaseKind, onSqlite, test } from "../../support/both-databases.ts";
import { addDomain, deleteDomain, FULL_DOMAIN } from "../../support/domains.ts";
import { emptyDatabase } from "../../support/empty-database.ts";
import { importFile, previewOf, sendCommit, undoImport } from "../../support/import-client.ts";
import { importTable } from "../../support/import-table.ts";
import { hasPostgres } from "../../support/postgres.ts";
import { refusal } from "../../support/refusal.ts";
import { PROJECT } from "../../support/server-process.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

/** A register with a bit of everything, a database and files beside it, and a folder. */
async function fullRegister(imported = 40) {
  const server = await startBackend();
  const client = await server.owner();
  await addDomain(client, FULL_DOMAIN);
  const { id } = await importFile(client, importTable(imported));
  const preview = await previewOf(client, importTable(30, "2028"));
  const database = await server.openDatabase();
  return {
    server,
    client,
    database,
    importId: id,
    previewId: preview.id,
    path: join(server.folder, "backup.tar"),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function emptyTarget(kind: "sqlite" | "postgres") {
  const place = await emptyDatabase({ kind });
  return {
    ...place,
    async restore(path: string) {
      const database = await openDatabase(place.url);
      await restoreBackup(database, path).finally(() => database.close());
    },
  };
}

async function exportOf(client: ApiClient): Promise<string> {
  return (await client.request("/api/domains.csv")).text();
}

/** The rows of an archive by table, and what expects that a target refuses it with another value. */
async function openArchive(path: string, target: Awaited<ReturnType<typeof emptyTarget>>) {
  const { schema, tables } = await verifyArchive(path);
  const entries = new Map<string, Buffer>();
  for await (const { path: name, content } of readArchive(path)) {
    const bytes = Buffer.concat(await Array.fromAsync(content));
    if (!name.startsWith("manifest.json")) entries.set(name, bytes);
  }
  const entryOf = (table: string) => `tables/${table}/000001.jsonl`;
  const rowsOf = (table: string): Record<string, unknown>[] => {
    const lines = entries.get(entryOf(table))?.toString().trimEnd().split("\n") ?? [];
    return lines.map((line) => JSON.parse(line));
  };
  const crafted = join(target.folder, "crafted.tar");
  async function refuses(table: string, column: string, row: number, value: unknown) {
    rmSync(crafted, { force: true });
    const archive = await createArchive(crafted);
    const rows = rowsOf(table);
    rows[row] = { ...rows[row], [column]: value };
    const content = Buffer.from(rows.map((each) => `${JSON.stringify(each)}\n`).join(""));
    for (const [name, bytes] of new Map(entries).set(entryOf(table), content)) {
      await archive.add(name, bytes.byteLength, [bytes]);
    }
    await archive.finish({ schema, tables });
    const at = `${entryOf(table)}, line ${row + 1}`;
    const said = `${crafted} holds a value that ${column} cannot have: ${at}`;
    expect([value, await refusal(target.restore(crafted))]).toEqual([value, said]);
  }
  return {
    tables: Object.keys(tables).filter((name) => entries.has(entryOf(name))),
    rowsOf,
    refuses,
  };
}

/** Where a backup goes; the same kind is restored by the test of one moment. */
const OTHER = { sqlite: hasPostgres ? "postgres" : "sqlite", postgres: "sqlite" } as const;

/** A message that waits when the backup is made. */
const DELIVERY = "00000000-0000-4000-8000-000000000002";

async function addDelivery(sql: SQL) {
  const id = "00000000-0000-4000-8000-000000000001";
  const day = { created_at: new Date().toISOString(), due_at: "2026-01-01" };
  const { created_at } = day;
  const target = { target: "https://hook.example/", filter: "", rhythm: "daily" };
  const channel = { id, kind: "webhook", name: "Hook", ...target, state: "paused", created_at };
  await sql`insert into channels ${sql(channel)}`;
  const message = { delivery_key: "daily", type: "reminder.due", payload: "{}", ...day };
  const waiting = { state: "pending", priority: 0, attempts: 0 };
  const delivery = { id: DELIVERY, channel_id: id, ...message, ...waiting };
  await sql`insert into deliveries ${sql(delivery)}`;
}

/** What was answered, by kind: a list of certificates, and where a browser ends up. */
const CHECKS = { tls: "[]", http: '{"status":200,"urls":[],"leadsTo":null}' };

describe("a backup", () => {
  test("restores everything but the sessions, into the other database", async () => {
    await using place = await fullRegister(1200);
    const { client, database, path } = place;
    const { id } = await addDomain(client, { name: "deleted.example" });
    await deleteDomain(client, id);
    const { id: checked } = await addDomain(client, { name: "checked.example" });
    const at = new Date().toISOString();
    const due = { due_at: at, checked_at: at, priority: 0, failures: 0, outcome: "ok" };
    await database.write(async (sql) => {
      await addDelivery(sql);
      for (const [kind, result] of Object.entries(CHECKS)) {
        const row = { domain_id: checked, name: "checked.example", kind, queue: kind };
        await sql`insert into checks ${sql({ ...row, ...due, source: kind, result })}`;
      }
    });
    await writeBackup(database, path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const before = await exportOf(client);
    await using target = await emptyTarget(OTHER[databaseKind()]);
    await target.restore(path);
    await using server = await startBackend({ databaseUrl: target.url, setupCode: null });
    const visitor = server.visitor();
    visitor.cookies.set("freehold-session", client.cookies.get("freehold-session") ?? "");
    expect((await visitor.request("/api/domains")).status).toBe(401);
    expect((await visitor.signIn()).status).toBe(200);
    expect(await exportOf(visitor)).toBe(before);
    const binned = { id, name: "deleted.example" };
    expect(await visitor.json("/api/bin")).toMatchObject({ items: [binned] });
    const checks = { tls: { result: [] }, http: { result: { status: 200 } } };
    expect(await visitor.json(`/api/domains/${checked}`)).toMatchObject({ checks });
    const message = { id: DELIVERY, state: "cancelled", lastError: "Restored from a backup." };
    expect(await visitor.json("/api/deliveries")).toMatchObject({ items: [message] });
    // The preview goes on where it was, with its upload, and the import can still be undone.
    const defaults = { owner: "Pat" };
    const changed = await visitor.patch(`/api/imports/${place.previewId}`, { defaults });
    expect(changed.status).toBe(200);
    expect((await sendCommit(visitor, place.previewId)).status).toBe(200);
    const { undo } = await undoImport(visitor, place.importId);
    expect(undo?.removed).toBe(1200 - 30);
  });

  test("holds one moment while others write", async () => {
    await using place = await fullRegister(1200);
    const { client, database, path } = place;
    const state = { over: false };
    let added = 0;
    const writing = (async () => {
      for (; !state.over; added += 1) await addDomain(client, { name: `new-${added}.example` });
    })();
    await writeBackup(database, path).finally(() => (state.over = true));
    await writing;
    await using target = await emptyTarget(databaseKind());
    await target.restore(path);
    const copy = await openDatabase(target.url);
    const [names, changed] = await copy.read(async (sql) => [
      (await sql<unknown[]>`select id from domains`).length,
      (await sql<unknown[]>`select distinct domain_id from changes`).length,
    ]);
    await copy.close();
    expect(names).toBe(changed ?? NaN);
    expect(names).toBeLessThanOrEqual(1201 + added);
  });

  onSqlite(
    "has all tables but these, overwrites no file, and leaves none that is half or too new",
    async () => {
      await using server = await startBackend();
      const tables = await server.read(listTables);
      const left = tables.filter((table) => !TABLES.includes(table));
      // Those of counts, names and renewals are kept by triggers; parts of uploads are files of the archive.
      const derived = ["custom_names", "domain_counts", "renewals_paid", "upload_parts"];
      const passing = [
        "challenges",
        "failed_sign_ins",
        "invitations",
        "schema_migrations",
        "sessions",
      ];
      expect(left.toSorted()).toEqual([...derived, ...passing].toSorted());
      const database = await server.openDatabase();
      const path = join(server.folder, "backup.tar");
      writeFileSync(path, "precious");
      expect(await refusal(writeBackup(database, path))).toBe(`${path} already exists`);
      expect(readFileSync(path, "utf8")).toBe("precious");
      const failing: Database = { ...database, snapshot: () => Promise.reject(new Error("gone")) };
      const other = join(server.folder, "other.tar");
      await expect(writeBackup(failing, other)).rejects.toThrow("gone");
      const newer = { version: 999, name: "x", applied_at: "" };
      await database.write((sql) => sql`insert into schema_migrations ${sql(newer)}`);
      expect(await refusal(writeBackup(database, other))).toContain("newer version");
      expect(readdirSync(server.folder).toSorted()).toEqual(["backup.tar", "data"]);
    },
  );

  onSqlite("leaves none when it is interrupted", async () => {
    await using place = await fullRegister(1200);
    const { server } = place;
    const interrupt = async (signal: NodeJS.Signals): Promise<string> => {
      const child = Bun.spawn([process.execPath, "server.ts", "backup", place.path], {
        cwd: PROJECT,
        env: { ...process.env, DATABASE_URL: server.databaseUrl },
        stderr: "pipe",
      });
      while (readdirSync(server.folder).length < 2) await Bun.sleep(1);
      child.kill(signal);
      const [code, message] = [await child.exited, await new Response(child.stderr).text()];
      if (code === 1) return message;
      // It was complete before the signal came.
      rmSync(place.path);
      return interrupt(signal);
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      expect(await interrupt(signal)).toBe("The backup was interrupted\n");
      expect(readdirSync(server.folder)).toEqual(["data"]);
    }
  });
});

describe("a restore", () => {
  bunTest("refuses a database that is not empty, and an archive cut or changed", async () => {
    await using place = await fullRegister();
    const { client, database, path } = place;
    await writeBackup(database, path);
    const before = await exportOf(client);
    expect(await refusal(restoreBackup(database, path))).toContain("is not empty");
    expect(await exportOf(client)).toBe(before);
    const bytes = readFileSync(path);
    const damaged = `${path}.damaged`;
    await using target = await emptyTarget("sqlite");
    const parts = [0.3, 0.6, 0.9].map((part) => Math.floor(bytes.length * part));
    const cases: (string | Buffer)[] = ["no archive at all"];
    for (const at of [0, 300, 600, ...parts, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      cases.push(changed, bytes.subarray(0, at));
    }
    for (const content of cases) {
      writeFileSync(damaged, content);
      expect(await refusal(target.restore(damaged))).toContain("was cut off or changed");
    }
    expect(await refusal(target.restore(`${path}.none`))).toContain("cannot be read (ENOENT)");
    expect(await refusal(target.restore(dirname(path)))).toContain("it is not a file");
    await target.restore(path);
  });

  bunTest("reads on where the system hands over less than it was asked for", async () => {
    using folder = createTemporaryFolder();
    const path = join(folder.path, "whole.tar");
    const archive = await createArchive(path);
    await archive.add("uploads/x", 5000, [Buffer.alloc(5000, "x")]);
    await archive.finish({ schema: NEWEST_SCHEMA, tables: {} });
    const file = await open(path);
    await file.close();
    type Read = (into: Buffer, from: { offset: number; length?: number }) => Promise<unknown>;
    const handles: { read: Read } = Object.getPrototypeOf(file);
    const { read } = handles;
    using _ = spyOn(handles, "read").mockImplementation(function (this: typeof file, into, from) {
      const length = Math.min(into.length - from.offset, 300);
      return read.call(this, into, { ...from, length });
    });
    expect((await verifyArchive(path)).entries).toMatchObject({ "uploads/x": { bytes: 5000 } });
  });

  bunTest("refuses an archive that somebody else made, with one line", async () => {
    await using target = await emptyTarget("sqlite");
    const path = join(target.folder, "crafted.tar");
    const schema = NEWEST_SCHEMA;
    const tables = Object.fromEntries(TABLES.map((table) => [table, 0]));
    const craft = async (about: object, entries: Record<string, string> = {}) => {
      rmSync(path, { force: true });
      const archive = await createArchive(path);
      for (const [name, content] of Object.entries(entries)) {
        const bytes = Buffer.from(content);
        await archive.add(name, bytes.byteLength, [bytes]);
      }
      await archive.finish({ schema, tables, ...about });
      const message = await refusal(target.restore(path));
      expect(message).not.toContain("\n");
      return message.replace(path, "It");
    };
    const { settings: _, ...fewer } = tables;
    for (const [about, said] of [
      [{ schema: 0 }, "has no valid manifest: /schema"],
      [{ schema: "9" }, "has no valid manifest: /schema"],
      [{ schema: 39 }, "was written by an older version of this program (schema 39"],
      [{ schema: 9999 }, "was written by a newer version of this program (schema 9999"],
      [{ tables: [] }, "has no valid manifest: /tables"],
      [{ tables: { ...tables, users: "1" } }, "has no valid manifest: /tables"],
      [{ tables: fewer }, "does not hold the tables of schema"],
      [{ tables: { ...tables, intruders: 0 } }, "does not hold the tables of schema"],
      [{ tables: { ...tables, users: 1 } }, "has 0 rows of users, not 1"],
      [{ format: 2 }, "was written by a newer version (format 2, this one knows 1)"],
      [{ format: "1" }, "has no valid manifest: /format"],
    ] as const) {
      expect(await craft(about)).toStartWith(`It ${said}`);
    }
    for (const name of [
      "uploads",
      "uploads/..",
      "uploads/evil.sh",
      "tables/intruders/000001.jsonl",
      "tables/../users/1.jsonl",
      "evil.sh",
    ]) {
      const said = `It holds something that no backup has: ${JSON.stringify(name)}`;
      expect(await craft({}, { [name]: "" })).toBe(said);
    }
    const tag = { label_key: "a", label: "a" };
    const noRow = "holds something other than a row";
    const noValue = (column: string) => `holds a value that ${column} cannot have`;
    for (const [table, content, said] of [
      ["users", "no JSON", noRow],
      ["users", { id: {} }, noRow],
      ["users", { "id) values (1); --": 1 }, noRow],
      ["tags", { ...tag, label: "x".repeat(10_000_000) }, noRow],
      ["tags", "", noRow],
      ["tags", { ...tag, label: "a\0b" }, noValue("label")],
      ["tags", { ...tag, label: "\ud800" }, noValue("label")],
      ["domains", { id: "x", expires_on: "not a day" }, noValue("expires_on")],
      ["domains", { id: "x", created_at: "yesterday" }, noValue("created_at")],
      ["domains", { id: "x", version: "first" }, noValue("version")],
      ["domains", { id: "x", renewal_minor: 0.5 }, noValue("renewal_minor")],
    ] as const) {
      const entry = `tables/${table}/000001.jsonl`;
      const line = typeof content === "string" ? content : JSON.stringify(content);
      expect(await craft({}, { [entry]: `${line}\n` })).toBe(`It ${said}: ${entry}, line 1`);
    }
    const unknown = await craft({}, { "tables/users/000001.jsonl": '{"nothing":1}\n' });
    expect(unknown).toBe("It: rows of users do not fit together");
  });

  onSqlite("refuses a value that the program could not read, and names its place", async () => {
    await using place = await fullRegister();
    const { client, database, path } = place;
    const { id } = await addDomain(client, { name: "binned.example" });
    await deleteDomain(client, id);
    // What a preview shows of a file is what the file has.
    await previewOf(client, '[{"domain":"nul.example","expires":"2028-01-01","x":"a\\u0000"}]');
    await database.write(addDelivery);
    await writeBackup(database, path);
    await using target = await emptyTarget("sqlite");
    const { tables, rowsOf, refuses } = await openArchive(path, target);
    if (hasPostgres) {
      // Its columns take larger numbers than we read.
      await using larger = await emptyTarget("postgres");
      const archive = await openArchive(path, larger);
      await archive.refuses("domains", "renewal_minor", 0, "9007199254740993");
    }
    const broken = [];
    for (const table of tables) {
      const rows = rowsOf(table);
      for (const column of new Set(rows.flatMap((row) => Object.keys(row)))) {
        const row = rows.findLastIndex((each) => /^[[{"]/.test(String(each[column])));
        if (row < 0) continue;
        await refuses(table, column, row, String(rows[row]?.[column]).slice(0, -1));
        broken.push(`${table}.${column}`);
      }
    }
    expect(broken.toSorted()).toEqual([
      "bin.content",
      "changes.fields",
      "channels.config",
      "deliveries.payload",
      "domains.custom",
      "import_rows.changes",
      "import_rows.problems",
      "import_rows.said",
      "imports.analysis",
      "imports.counts",
      "imports.defaults",
      "settings.value",
    ]);
    for (const [table, column, value] of [
      ["changes", "fields", '{"a":1}'],
      ["changes", "fields", '[{"field":"notes","before":"\\u0000","after":""}]'],
      ["changes", "fields", "[".repeat(100_000)],
      ["changes", "reports", "{"],
      ["domains", "custom", '{"\\ud800":"a"}'],
      ["domains", "custom", '{"a":"\\\\\\u0000"}'],
      ["domains", "custom", "[]"],
      ["domains", "name", "ARCH.com/../x"],
      ["domains", "name", "UPPER.example"],
      ["bin", "name", "one-label"],
      ["domains", "version", "9007199254740993"],
      ["domains", "version", 2 ** 53],
    ] as const) {
      await refuses(table, column, 0, value);
    }
    await target.restore(path);
  });
});

describe("keepBackups", () => {
  bunTest("writes one a day or at night, and keeps the newest of the past", async () => {
    await using place = await fullRegister();
    using folder = createTemporaryFolder();
    writeFileSync(join(folder.path, "notes.txt"), "mine");
    // One that a killed process left, and one that another process is writing.
    writeFileSync(join(folder.path, ".freehold-a.tar.1.partial"), "");
    utimesSync(join(folder.path, ".freehold-a.tar.1.partial"), 0, 0);
    writeFileSync(join(folder.path, ".freehold-b.tar.2.partial"), "");
    for (const time of [
      "2026-11-01T12:00:00",
      "2026-11-01T13:00:00",
      "2026-11-02T02:10:00",
      "2026-11-02T03:10:00",
      "2026-11-03T02:10:00",
      // The clock was ahead, and is right again.
      "2028-11-04T02:10:00",
      "2026-11-04T02:10:00",
    ]) {
      const clock = () => new Date(time);
      await keepBackups(place.database, { folder: folder.path, keep: 2, clock });
    }
    const stamps = ["2026-11-03", "2026-11-04", "2028-11-04"].map((day) =>
      new Date(`${day}T02:10:00`).toISOString().slice(0, 19).replaceAll(":", "-"),
    );
    expect(readdirSync(folder.path).toSorted()).toEqual([
      ".freehold-b.tar.2.partial",
      ...stamps.map((stamp) => `freehold-${stamp}Z.tar`),
      "notes.txt",
    ]);
  });

  test("writes one for all instances, another where one fails, and an hour after one that was killed", async () => {
    await using place = await fullRegister(1);
    using folder = createTemporaryFolder();
    const folders = ["one", "other"].map((name) => join(folder.path, name));
    const old = "freehold-2026-10-01T00-00-00Z.tar";
    for (const each of folders) mkdirSync(each);
    for (const each of folders) writeFileSync(join(each, old), "");
    const keep = (path: string, at: string) => {
      const clock = () => new Date(`2026-11-${at}:10:00`);
      return keepBackups(place.database, { folder: path, keep: 9, clock });
    };
    for (const [at, made] of [
      ["02T02", 3],
      ["02T03", 3],
      ["03T02", 4],
    ] as const) {
      await Promise.all(folders.map((each) => keep(each, at)));
      expect([at, folders.flatMap((each) => readdirSync(each)).length]).toEqual([at, made]);
    }
    const empty = join(folder.path, "empty");
    mkdirSync(empty);
    await keep(empty, "03T03");
    expect(readdirSync(empty)).toHaveLength(1);
    const [one = "", other = ""] = folders;
    const count = () => readdirSync(one).length;
    const before = count();
    const gone = join(folder.path, "gone");
    await expect(keep(gone, "04T02")).rejects.toThrow();
    await keep(one, "04T02");
    expect(count()).toBe(before + 1);

    // What has begun to read and says no more.
    const begun = Promise.withResolvers<void>();
    const killed = Promise.withResolvers<never>();
    const snapshot = () => (begun.resolve(), killed.promise);
    const clock = () => new Date("2026-11-05T02:10:00");
    const dying = keepBackups({ ...place.database, snapshot }, { folder: other, keep: 9, clock });
    await begun.promise;
    await keep(one, "05T02");
    expect(count()).toBe(before + 1);
    await keep(one, "05T03");
    expect(count()).toBe(before + 2);
    killed.reject(new Error("killed"));
    await dying.catch(() => undefined);
  });
});
