import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { createBackend } from "../../../src/backend/backend.ts";
import { DatabaseError } from "../../../src/backend/database/database-error.ts";
import { openDatabase } from "../../../src/backend/database/database.ts";
import { migrate, MIGRATIONS } from "../../../src/backend/database/migrate.ts";
import type { Migration } from "../../../src/backend/database/migrations/migration.ts";
import { databaseKind, test as testBoth } from "../../support/both-databases.ts";
import { emptyPostgres } from "../../support/postgres.ts";
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

    await using newer = await openTemporary();
    const version = (MIGRATIONS.at(-1)?.version ?? 0) + 1;
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

  testBoth("find the day to act by, and fold notes, of what is in an older register", async () => {
    await using postgres = databaseKind() === "postgres" ? await emptyPostgres() : null;
    await using place = await openTemporary();
    await using database = await openDisposable(postgres?.url ?? place.url);
    const before = MIGRATIONS.findIndex(({ name }) => name === "list and views");
    await migrate(database, MIGRATIONS.slice(0, before));
    const [t0, t1, t2] = [0, 1, 2].map((day) => `2026-11-2${day}T00:00:00.000Z`);
    const expiries: Record<string, [string, string, string, 0 | 1][]> = {
      // Source, day and time of each report; the last is the one in use, with whether they disagree.
      superseded: [
        ["RDAP", "2026-01-01", `${t0}`, 0],
        ["RDAP", "2027-03-03", `${t1}`, 0],
        ["Gandi", "2027-05-05", `${t2}`, 1],
      ],
      settled: [
        ["Gandi", "2026-01-01", `${t0}`, 0],
        ["RDAP", "2027-07-07", `${t2}`, 0],
        ["manual", "2028-01-01", `${t1}`, 1],
      ],
      agreed: [["Gandi", "2027-05-05", `${t0}`, 0]],
    };
    for (const [id, reports] of Object.entries(expiries)) {
      const [source, day, at, conflict] = reports.at(-1) ?? ["", "", "", 0];
      await database.write(async (sql) => {
        await sql`insert into domains (id, version, name, unicode, tld, expires_on, expires_source,
            expires_observed_at, expires_conflict, created_at, updated_at, notes)
          values (${id}, 1, ${id}, ${id}, 'com', ${day}, ${source}, ${at}, ${conflict}, ${at}, ${at},
            'ÄRGER')`;
        for (const [index, [by, value, observed]] of reports.entries()) {
          await sql`insert into observations (id, domain_id, kind, source, value, observed_at)
            values (${`${id}${index}`}, ${id}, 'expires', ${by}, ${value}, ${observed})`;
        }
      });
    }
    await migrate(database);
    const rows = await database.read(
      (sql) => sql<object[]>`select id, expires_earliest, notes_key from domains order by id`,
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      ["agreed", "2027-05-05", "ärger"],
      ["settled", "2027-07-07", "ärger"],
      ["superseded", "2027-03-03", "ärger"],
    ]);
  });
});

async function openDisposable(url: string) {
  const database = await openDatabase(url);
  return Object.assign(database, { [Symbol.asyncDispose]: () => database.close() });
}
