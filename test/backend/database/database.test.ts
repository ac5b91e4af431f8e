import { copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SQL } from "bun";
import { describe, expect, spyOn, test } from "bun:test";
import { UnavailableError } from "../../../src/backend/database/database-error.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { migrate } from "../../../src/backend/database/migrate.ts";
import { databaseFile } from "../../../src/backend/database/sqlite.ts";
import { parseListQuery, readPage } from "../../../src/backend/domains/list/list-domains.ts";
import { readFacets } from "../../../src/backend/domains/list/facets.ts";
import { changeMany, parseBulk } from "../../../src/backend/domains/write/bulk.ts";
import { evaluateReminders } from "../../../src/backend/reminders/evaluate.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { EVERYTHING } from "../../../src/backend/http/route.ts";
import { refusal } from "../../support/refusal.ts";

const FACETS = { today: "2026-11-27", sight: EVERYTHING } as const;

/** A new file, or the one that is there, in a folder that ends with the database. */
async function open(folder = createTemporaryFolder()) {
  const database = await openDatabase(`sqlite://${join(folder.path, "a", "b", "test.sqlite")}`);
  return {
    ...database,
    folder,
    async [Symbol.asyncDispose]() {
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

describe("openDatabase", () => {
  test("keeps what is acknowledged, in a folder and a file for the owner only", async () => {
    await using database = await open();
    const pragmas = await database.read(async (sql) => [
      ...(await sql`select * from pragma_journal_mode`),
      ...(await sql`select * from pragma_synchronous`),
      ...(await sql`select * from pragma_foreign_keys`),
      ...(await sql`select * from pragma_busy_timeout`),
    ]);
    expect(pragmas.flatMap((each) => Object.values(each))).toEqual(["wal", 2, 1, 5000]);
    expect(statSync(dirname(database.place)).mode & 0o777).toBe(0o700);
    expect(statSync(database.place).mode & 0o777).toBe(0o600);
  });

  test("waits for what is running, folds its log into the file, and may be closed twice", async () => {
    await using database = await open();
    await database.write((sql) => sql`create table t (n integer)`);
    const writing = database.write(async (sql) => {
      await sql`insert into t (n) values (1)`;
      await Bun.sleep(20);
      return sql`insert into t (n) values (2) returning n`;
    });
    await Promise.all([database.close(), database.close()]);
    expect([...(await writing)]).toEqual([{ n: 2 }]);
    expect(existsSync(`${database.place}-wal`)).toBe(false);
    await expect(database.read((sql) => sql`select 1`)).rejects.toThrow();
  });

  test("waits for another connection's write without keeping the thread", async () => {
    await using one = await open();
    await using other = await open(one.folder);
    await one.write((sql) => sql`create table t (n integer)`);
    const { promise: started, resolve } = Promise.withResolvers<void>();
    // Its end is a timer, which runs only while the thread is free.
    const first = one.write(async (sql) => {
      resolve();
      await Bun.sleep(50);
      await sql`insert into t values (1)`;
    });
    await started;
    const second = other.write((sql) => sql`insert into t select n + 1 from t`);
    await Promise.all([first, second]);
    expect(await one.read((sql) => sql`select n from t order by n`)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("lets others have a turn between reads that wait", async () => {
    await using database = await open();
    await using server = Bun.serve({ port: 0, fetch: () => new Response("up") });
    const done: string[] = [];
    const read = async () => {
      await database.read(
        (sql) => sql`
          with recursive n (i) as (select 1 union all select i + 1 from n where i < 60000)
          select count(*) from n`,
      );
      done.push("read");
    };
    const ask = fetch(server.url).then(() => done.push("answer"));
    await Promise.all([...Array.from({ length: 20 }, read), ask]);
    expect(done).toHaveLength(21);
    expect(done.at(-1)).toBe("read");
  });

  test("lets others write while the thread of a bulk job is loading", async () => {
    await using database = await open();
    await migrate(database);
    const ended: string[] = [];
    const job = () =>
      database.writeMany(evaluateReminders, { now: new Date() }).then(() => ended.push("job"));
    // The first may find a thread that is left over, the second has to load one.
    const jobs = [job(), job()];
    await database.write((sql) => sql`delete from views`).then(() => ended.push("edit"));
    await Promise.all(jobs);
    expect(ended).toHaveLength(3);
    expect(ended.at(-1)).toBe("job");
  });

  test("folds what a bulk job wrote into the file, also while others read", async () => {
    await using database = await open();
    await migrate(database);
    await fillRegister(database, 10);
    const read = Promise.withResolvers<void>();
    const reading = database.snapshot(async (sql) => {
      await sql`select count(*) from domains`;
      await read.promise;
    });
    const by = { id: "", name: "Ada", token: null };
    const select = { filter: {}, expectedCount: 10 };
    const change = parseBulk({ select, op: { kind: "edit", owner: "New" } });
    await database.writeMany(changeMany, { ...change, by });
    read.resolve();
    await reading;
    // Ends by the time limit of the test where nobody does.
    for (let folded = 0; folded < 10; await Bun.sleep(10)) {
      const copy = `${database.place}.copy`;
      copyFileSync(database.place, copy);
      await using sql = new SQL({ adapter: "sqlite", filename: copy });
      // It has no table before anything is folded.
      const rows = await sql`select 1 from domains where owner = 'New'`.catch(() => []);
      folded = rows.length;
    }
  });

  describe("readMany on a register that is not small", () => {
    const list = { ...parseListQuery(new URLSearchParams("q=name")), sight: EVERYTHING } as const;

    async function openLarge() {
      const database = await open();
      await migrate(database);
      await database.write((sql) => sql`create table large as select zeroblob(9000000) as bytes`);
      await database.close();
      return open(database.folder);
    }

    test("reads in a thread, and sees what was written before", async () => {
      await using database = await openLarge();
      using orders = spyOn(Worker.prototype, "postMessage");
      expect(await database.readMany(readPage, list)).toMatchObject({ total: 0 });
      expect(orders).toHaveBeenCalledTimes(1);
      await fillRegister(database, 3);
      expect(await database.readMany(readPage, list)).toMatchObject({ total: 3 });
    });

    test("tells why a job failed, and runs the next", async () => {
      await using database = await openLarge();
      const unknown = { name: "unknown", run: () => Promise.resolve(0) };
      await expect(database.readMany(unknown, null)).rejects.toThrow('has no job "unknown"');
      await database.write((sql) => sql`alter table domain_tags rename to other`);
      const error = { name: "SQLiteError", code: "SQLITE_ERROR" };
      await expect(database.readMany(readFacets, FACETS)).rejects.toMatchObject(error);
      await database.write((sql) => sql`alter table other rename to domain_tags`);
      expect(await database.readMany(readFacets, FACETS)).toMatchObject({ tags: [] });
    });

    test("ends before the database closes, which leaves no log behind", async () => {
      await using database = await openLarge();
      const reading = [1, 2, 3, 4].map(() => database.readMany(readPage, list));
      const outcomes = Promise.allSettled(reading);
      await Bun.sleep(1);
      await database.close();
      for (const outcome of await outcomes) {
        if (outcome.status === "fulfilled") continue;
        expect(outcome.reason).toBeInstanceOf(UnavailableError);
      }
      expect(existsSync(`${database.place}-wal`)).toBe(false);
      await expect(database.readMany(readPage, list)).rejects.toBeInstanceOf(UnavailableError);
    });
  });

  test("says in one line what is wrong with a file", async () => {
    using folder = createTemporaryFolder();
    const at = (name: string) => join(folder.path, name);
    writeFileSync(at("text.sqlite"), "This is not a database. ".repeat(100));
    mkdirSync(at("folder.sqlite"));
    const cases: [string, RegExp][] = [
      [at("text.sqlite"), /is not an SQLite database$/],
      [at("folder.sqlite"), /cannot be created or written \(EISDIR\)$/],
      [join(at("text.sqlite"), "x.sqlite"), /cannot be created or written \((?:ENOTDIR|EEXIST)\)$/],
    ];
    for (const [file, pattern] of cases) {
      const message = await refusal(openDatabase(`sqlite://${file}`));
      expect(message).toMatch(pattern);
      expect(message).toStartWith(`The database ${file} `);
      expect(message).not.toContain("\n");
    }
  });

  test.each(["sqlite://", "sqlite://:memory:"])("refuses the URL %j", async (url) => {
    expect(await refusal(openDatabase(url))).toContain("must be sqlite://<file>");
  });
});

test("databaseFile is relative to the working directory unless it is absolute", () => {
  const here = process.cwd();
  expect(databaseFile("sqlite://data/a b.sqlite")).toBe(join(here, "data", "a b.sqlite"));
  expect(databaseFile("sqlite:///srv/a.sqlite")).toBe("/srv/a.sqlite");
  expect(databaseFile("sqlite:x.sqlite")).toBe(join(here, "x.sqlite"));
});

test("Database.write takes nothing of concurrent writers with it when it is rolled back", async () => {
  await using database = await open();
  await database.write((sql) => sql`create table t (n integer)`);
  const failing = database.write(async (sql) => {
    await sql`insert into t (n) values (-1)`;
    await Bun.sleep(10);
    throw new Error("rolled back");
  });
  const others = Array.from({ length: 200 }, (_, n) =>
    database.write((sql) => sql`insert into t (n) values (${n})`),
  );
  const reading = database.read((sql) => sql`select n from t where n = -1`);
  await expect(failing).rejects.toThrow("rolled back");
  await Promise.all(others);
  expect([...(await reading)]).toEqual([]);
  const [row] = await database.read((sql) => sql`select count(*) as n, min(n) as least from t`);
  expect(row).toEqual({ n: 200, least: 0 });
});
