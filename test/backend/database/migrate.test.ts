import { SQL } from "bun";
import { Database as SqliteFile } from "bun:sqlite";
import { readdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { createBackend } from "../../../src/backend/backend.ts";
import {
  type Database,
  type Migration,
  readColumn,
} from "../../../src/backend/database/database.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import {
  listTables,
  migrate,
  MIGRATIONS,
  readSchema,
} from "../../../src/backend/database/migrate.ts";
import { openEmpty } from "../../support/empty-database.ts";
import { refusal } from "../../support/refusal.ts";

const FIRST: Migration = { version: 1, name: "one", statements: ["create table one (n integer)"] };
const SECOND: Migration = { version: 2, name: "two", statements: ["create table two (n integer)"] };

const tablesOf = async (database: Database) => (await database.read(listTables)).toSorted();

/** The schemas before which a folder has a copy. */
const copiesIn = async (folder: string) =>
  (await readdir(folder)).flatMap((name) => /-before-(\d+)/.exec(name)?.[1] ?? []).toSorted();

describe("migrate", () => {
  test("copies SQLite before a step, for its owner alone, and keeps the newest two", async () => {
    await using place = await openEmpty();
    const { folder } = place;
    const steps = [FIRST];
    await migrate(place.database, steps);
    for (const version of [2, 3, 11]) {
      steps.push({ ...SECOND, version, statements: [`create table t${version} (n integer)`] });
      await migrate(place.database, steps);
      await migrate(place.database, steps);
    }
    expect(await copiesIn(folder)).toEqual(["11", "3"]);
    const copy = join(folder, "register-before-11.sqlite");
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    // The way back: the version of before opens it.
    const before = await openDatabase(`sqlite://${copy}`);
    await migrate(before, steps.slice(0, -1));
    expect(await before.read(readSchema)).toBe(3);
    await before.close();
  });

  test("keeps the copy that it has made, after a way back from a newer schema too", async () => {
    await using place = await openEmpty();
    const { folder } = place;
    await migrate(place.database, [FIRST]);
    // By a clock that was ahead, the first even of the future.
    for (const [schema, year] of [
      [60, 2999],
      [61, 2020],
    ] as const) {
      const newer = join(folder, `register-before-${schema}.sqlite`);
      await Bun.write(newer, "");
      await utimes(newer, new Date(year, 0), new Date(year, 0));
    }
    await migrate(place.database, [FIRST, SECOND]);
    expect(await copiesIn(folder)).toEqual(["2", "60"]);
  });

  test("copies no more what another instance that starts has changed meanwhile", async () => {
    await using place = await openEmpty();
    const { database } = place;
    await migrate(database, [FIRST]);
    const other = await openDatabase(place.url);
    // One after the other: each makes a file of the same name first.
    await Promise.all([database, other].map((each) => each.copyBefore(2)));
    const copyBefore = async (schema: number) => {
      await migrate(other, [FIRST, SECOND]);
      return database.copyBefore(schema);
    };
    await migrate({ ...database, copyBefore }, [FIRST, SECOND]);
    await other.close();
    await using copy = new SQL(`sqlite://${join(place.folder, "register-before-2.sqlite")}`);
    expect(await readColumn<number>(copy`select version from schema_migrations`)).toEqual([1]);
  });

  test("waits for another process that reads a file without a write-ahead log", async () => {
    await using place = await openEmpty();
    await migrate(place.database, [FIRST]);
    await place.database.close();
    const { file } = place;
    using old = new SqliteFile(file);
    old.run("pragma journal_mode = delete");
    const reading = `const file = new (await import("bun:sqlite")).Database(${JSON.stringify(file)});
      file.run("begin");
      file.query("select * from one").all();
      console.log("reads");
      setTimeout(() => file.run("commit"), 300);`;
    const database = await openDatabase(place.url);
    const other = Bun.spawn([process.execPath, "-e", reading]);
    await other.stdout.getReader().read();
    await migrate({ ...database, copyBefore: async () => null }, [FIRST, SECOND]);
    expect(await database.read(readSchema)).toBe(2);
    await database.close();
    expect(await other.exited).toBe(0);
  });

  test("takes each step once, in order, and leaves all as it was when one fails", async () => {
    await using place = await openEmpty();
    await migrate(place.database, [FIRST]);
    const broken = { ...SECOND, statements: [...SECOND.statements, "create nonsense"] };
    await expect(migrate(place.database, [FIRST, broken])).rejects.toThrow();
    expect(await tablesOf(place.database)).toEqual(["one", "schema_migrations"]);
    await migrate(place.database, [FIRST, SECOND]);
    await migrate(place.database, [FIRST, SECOND]);
    expect(await tablesOf(place.database)).toEqual(["one", "schema_migrations", "two"]);
    const taken = await place.database.read((sql) => sql`select version from schema_migrations`);
    expect([...taken]).toEqual([{ version: 1 }, { version: 2 }]);
  });

  test("refuses a database of a newer program, and says which and leaves it alone", async () => {
    await using place = await openEmpty();
    await migrate(place.database, [FIRST, SECOND]);
    const message = await refusal(migrate(place.database, [FIRST]));
    expect(message).toContain(place.database.place);
    expect(message).toContain("newer version of this program (schema 2, this one knows 1)");

    const file = join(place.folder, "old.sqlite");
    const old = new SQL(`sqlite://${file}`);
    await old`create table schema_migrations (version integer primary key)`;
    await old`insert into schema_migrations values (20)`;
    await old.close();
    const before = await Bun.file(file).bytes();
    const options = { databaseUrl: `sqlite://${file}`, setupCode: null, maxUploadBytes: 1 };
    const opening = await refusal(createBackend(options));
    expect(opening).toContain("was written by an older version of this program (schema 20");
    expect(await Bun.file(file).bytes()).toEqual(before);
  });
});

/** How the SHA-256 of each released file begins: databases exist that it has changed. */
const RELEASED: Readonly<Record<string, string>> = {
  "0040-baseline.sql": "94427daae93c927b",
  "0040-baseline.ts": "404530eb1e12e7a9",
  "0040-derived-tables.ts": "d46d6db51acb4418",
  "0041-before-1.0.ts": "b4f92255d479b4df",
  "0046-words.ts": "84b3326f4aa8e1c6",
  "0048-archive.ts": "dbed78f9d2133b3d",
};

describe("MIGRATIONS", () => {
  test("stay as they were released", async () => {
    const folder = join(import.meta.dir, "../../../src/backend/database/migrations");
    const files = (await readdir(folder)).toSorted();
    const unreleased = files.filter((name) => !(name in RELEASED));
    expect([...Object.keys(RELEASED), ...unreleased]).toEqual(files);
    for (const [name, digest] of Object.entries(RELEASED)) {
      const text = await Bun.file(join(folder, name)).bytes();
      expect(`${name} ${Bun.SHA256.hash(text, "hex").slice(0, 16)}`).toBe(`${name} ${digest}`);
    }
  });

  test("are in the order of their numbers", () => {
    const versions = MIGRATIONS.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].toSorted((one, other) => one - other));
  });

  // An older instance still reads the database, and writes to it for up to 20 s.
  test("add before they take away", () => {
    const taken =
      /\bdrop (?:table|column)\b|\brename\b|\balter column \S+ (?:type|set not null)|\badd column\b(?![^,]*\bdefault\b)[^,]*\bnot null\b/i;
    for (const { statements, sqlite = [], postgres = [] } of MIGRATIONS.slice(1)) {
      for (const each of [...statements, ...sqlite, ...postgres]) expect(each).not.toMatch(taken);
    }
  });
});
