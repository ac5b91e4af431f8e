import { SQL } from "bun";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { createBackend } from "../../../src/backend/backend.ts";
import { DatabaseError } from "../../../src/backend/database/database-error.ts";
import type { Migration } from "../../../src/backend/database/database.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { migrate, MIGRATIONS, NEWEST_SCHEMA } from "../../../src/backend/database/migrate.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const FIRST: Migration = { version: 1, name: "one", statements: ["create table one (n integer)"] };
const SECOND: Migration = { version: 2, name: "two", statements: ["create table two (n integer)"] };

async function openTemporary() {
  const folder = createTemporaryFolder();
  const url = `sqlite://${join(folder.path, "test.sqlite")}`;
  const database = await openDatabase(url);
  const tables = () =>
    database.read(async (sql) => {
      const rows = await sql<{ name: string }[]>`
        select name from sqlite_master where type = 'table' order by name`;
      return rows.map(({ name }) => name);
    });
  return {
    url,
    database,
    tables,
    async [Symbol.asyncDispose]() {
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

describe("migrate", () => {
  test("takes each step once, in order", async () => {
    await using place = await openTemporary();
    await migrate(place.database, [FIRST]);
    await migrate(place.database, [FIRST, SECOND]);
    await migrate(place.database, [FIRST, SECOND]);
    expect(await place.tables()).toEqual(["one", "schema_migrations", "two"]);
    const taken = await place.database.read(
      (sql) => sql`select version, name from schema_migrations`,
    );
    expect([...taken]).toEqual([
      { version: 1, name: "one" },
      { version: 2, name: "two" },
    ]);
  });

  test("leaves the database as it was when a step fails", async () => {
    await using place = await openTemporary();
    await migrate(place.database, [FIRST]);
    const broken = { ...SECOND, statements: [...SECOND.statements, "create nonsense"] };
    await expect(migrate(place.database, [FIRST, broken])).rejects.toThrow();
    expect(await place.tables()).toEqual(["one", "schema_migrations"]);
  });

  test("refuses a database of a newer program, and says which and leaves it alone", async () => {
    await using place = await openTemporary();
    await migrate(place.database, [FIRST, SECOND]);
    const refusal = await migrate(place.database, [FIRST]).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DatabaseError);
    expect(String(refusal)).toContain(place.database.place);
    expect(String(refusal)).toContain("newer version of this program (schema 2, this one knows 1)");

    using folder = createTemporaryFolder();
    const file = join(folder.path, "old.sqlite");
    const old = new SQL(`sqlite://${file}`);
    await old`create table schema_migrations (version integer primary key)`;
    await old`insert into schema_migrations values (20)`;
    await old.close();
    const before = await Bun.file(file).bytes();
    const options = { databaseUrl: `sqlite://${file}`, setupCode: null, maxUploadBytes: 1 };
    const opening = await createBackend(options).catch((error: unknown) => error);
    expect(String(opening)).toContain("was written by an older version of this program (schema 20");
    expect(await Bun.file(file).bytes()).toEqual(before);

    await using newer = await openTemporary();
    const version = NEWEST_SCHEMA + 1;
    await migrate(newer.database, [{ ...FIRST, version }]);
    const starting = createBackend({ databaseUrl: newer.url, setupCode: null, maxUploadBytes: 1 });
    await expect(starting).rejects.toBeInstanceOf(DatabaseError);
  });
});

describe("MIGRATIONS", () => {
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
