import { SQL } from "bun";
import { describe, expect, spyOn, test as bunTest } from "bun:test";
import {
  migrate,
  MIGRATIONS,
  NEWEST_SCHEMA,
  readSchema,
} from "../../../src/backend/database/migrate.ts";
import type { Job } from "../../../src/backend/database/database.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { openEmpty } from "../../support/empty-database.ts";
import { hasPostgres, postgresCluster, preparedPostgres } from "../../support/postgres.ts";
import { refusal } from "../../support/refusal.ts";

const test = bunTest.skipIf(!hasPostgres);

/** A database with the schema, in which a test may make a table `t`. */
async function openPrepared() {
  const { database, ...place } = await preparedPostgres();
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database.write((sql) => sql`drop table if exists t`);
      await place[Symbol.asyncDispose]();
    },
  };
}

describe("openPostgres", () => {
  test("says in one line what is wrong, without user or password", async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const { port } = new URL((await postgresCluster()).urlOf("x"));
    const cases: [string, RegExp][] = [
      ["postgres://ada:pw-secret@127.0.0.1:1/register", /^The database register on .* be reached/],
      [`postgresql://freehold:pw-secret@127.0.0.1:${port}/none`, /none on .* does not exist/],
      [`postgres://ada:pw-secret@127.0.0.1:${port}/postgres`, /postgres on .* does not accept/],
      [`postgres://ada:pw-secret@127.0.0.1:${silent.port}/register`, /does not answer$/],
      ["postgres://ada:pw-secret@127.0.0.1/a%", /must be postgres:/],
      ["postgres://ada:pw-secret@127.0.0.1", /must be postgres:\/\/<user>@<host>\/<database>$/],
    ];
    for (const [url, pattern] of cases) {
      const message = await refusal(openDatabase(url));
      expect(message).toMatch(pattern);
      expect(message).not.toMatch(/pw-secret|ada|freehold|\n/);
    }
    silent.stop(true);
  });

  test("refuses a database that cannot hold every name", async () => {
    const { urlOf } = await postgresCluster();
    const sql = new SQL(urlOf("postgres"), { max: 1 });
    await sql`create database ascii encoding 'SQL_ASCII' locale 'C' template template0`;
    try {
      const message = await refusal(openDatabase(urlOf("ascii")));
      expect(message).toEndWith("must be encoded in UTF8, but it is in SQL_ASCII");
    } finally {
      await sql`drop database ascii with (force)`;
      await sql.close();
    }
  });

  test("compares every text by its bytes, and leaves what others keep there alone", async () => {
    await using place = await openEmpty("postgres");
    const { database } = place;
    await database.write((sql) => sql`create table others (label text)`);
    await migrate(database);
    const rows = await database.read(
      (sql) => sql<{ table: string }[]>`
        select table_name || '.' || column_name as "table" from information_schema.columns
        where table_schema = 'public' and data_type = 'text' and collation_name is null`,
    );
    expect([...rows]).toEqual([{ table: "others.label" }]);
  });
});

describe("Database.write on Postgres", () => {
  test("runs again what another transaction was in the way of, so that no update is lost", async () => {
    await using database = await openPrepared();
    await database.write((sql) => sql`create table t (n integer)`);
    await database.write((sql) => sql`insert into t values (0)`);
    const increment = () =>
      database.write(async (sql) => {
        const [row] = await sql<{ n: number }[]>`select n from t`;
        await sql`update t set n = ${(row?.n ?? 0) + 1}`;
      });
    await Promise.all(Array.from({ length: 12 }, increment));
    expect([...(await database.read((sql) => sql`select n from t`))]).toEqual([{ n: 12 }]);
  });

  test("breaks up two that wait for each other", async () => {
    await using database = await openPrepared();
    await database.write((sql) => sql`create table t (id integer primary key, n integer)`);
    await database.write((sql) => sql`insert into t values (1, 0), (2, 0)`);
    const cross = (first: number, second: number) =>
      database.write(async (sql) => {
        await sql`update t set n = n + 1 where id = ${first}`;
        await Bun.sleep(50);
        await sql`update t set n = n + 1 where id = ${second}`;
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    const rows = await database.read((sql) => sql`select n from t`);
    expect([...rows]).toEqual([{ n: 2 }, { n: 2 }]);
  });

  test("gives up a transaction that throws, and its connection serves on", async () => {
    await using database = await openPrepared();
    await database.write((sql) => sql`create table t (n integer unique)`);
    for (let round = 0; round < 8; round += 1) {
      const failing = database.write(async (sql) => {
        await sql`insert into t values (1)`;
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
    }
    expect([...(await database.read((sql) => sql`select n from t`))]).toEqual([]);
  });
});

describe("Database.read on Postgres", () => {
  test("sees one state of the data in all of its statements, and changes none", async () => {
    await using database = await openPrepared();
    await database.write((sql) => sql`create table t (n integer)`);
    const counts = await database.read(async (sql) => {
      const [before] = await sql`select count(*)::integer as n from t`;
      await database.write((other) => other`insert into t values (1)`);
      const [after] = await sql`select count(*)::integer as n from t`;
      return [before?.n, after?.n];
    });
    expect(counts).toEqual([0, 0]);
    const writing = database.read((sql) => sql`insert into t values (2)`);
    await expect(writing).rejects.toThrow("read-only");
  });

  test("keeps no secret in what it throws", async () => {
    await using place = await preparedPostgres();
    const url = place.url.replace("freehold@", "freehold:pw-secret@");
    const database = await openDatabase(url);
    using _ = spyOn(console, "error").mockImplementation(() => undefined);
    const error = await database.read((sql) => sql`select nothing`).catch((reason) => reason);
    await database.close();
    const closed = await database.read((sql) => sql`select 1`).catch((reason) => reason);
    for (const each of [error, closed]) {
      expect(each).toBeInstanceOf(Error);
      expect(Bun.inspect(each)).not.toContain("pw-secret");
    }
  });
});

describe("Database.writeMany on Postgres", () => {
  const fill: Job<number, void> = {
    name: "fill",
    run(sql, length) {
      const rows = Array.from({ length }, (_, n) => ({ label_key: `tag ${n}`, label: `Tag ${n}` }));
      return insertRows(sql, "tags", rows);
    },
  };

  test("sees what the job before it wrote, in this instance and in another", async () => {
    await using place = await preparedPostgres();
    const instances = [await openDatabase(place.url), await openDatabase(place.url)];
    const count: Job<null, number> = {
      name: "count",
      async run(sql) {
        const rows = await sql<unknown[]>`select 1 from tags`;
        await Bun.sleep(20);
        const key = `tag ${rows.length}`;
        await insertRows(sql, "tags", [{ label_key: key, label: key }]);
        return rows.length;
      },
    };
    const counting = [0, 1, 0, 1, 0, 1].map((at) => instances[at]?.writeMany(count, null));
    const counts = await Promise.all(counting);
    expect(counts.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    for (const instance of instances) await instance.close();
  });

  test("lets the next statement be planned for what is there by then", async () => {
    await using database = await openPrepared();
    await database.writeMany(fill, 1200);
    const [row] = await database.read(
      (sql) => sql`select reltuples as rows from pg_class where oid = to_regclass('tags')`,
    );
    expect(row.rows).toBe(1200);
  });

  test("does not wait where somebody else is looking at a table", async () => {
    await using place = await preparedPostgres();
    const database = await openDatabase(place.url);
    await using other = new SQL(place.url, { max: 1 });
    await other.begin(async (sql) => {
      await sql`lock table tags in share update exclusive mode`;
      await database.writeMany(fill, 1200);
    });
    expect(await database.read((sql) => sql`select 1 from tags`)).toHaveLength(1200);
    await database.close();
  });
});

describe("migrate on Postgres", () => {
  test("has no index of domains look for entries that are alike", async () => {
    await using database = await openPrepared();
    const rows = await database.read(
      (sql) => sql<{ name: string; options: string | null }[]>`
        select c.relname::text as name, array_to_string(c.reloptions, ',') as options
        from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = to_regclass('domains')`,
    );
    expect(rows.length).toBeGreaterThan(10);
    const merging = rows.filter(({ options }) => options !== "deduplicate_items=off");
    expect(merging.map(({ name }) => name)).toEqual([]);
  });

  test("waits for writers that lock its tables in another order", async () => {
    await using place = await openEmpty("postgres");
    const { database } = place;
    await migrate(database);
    const statements = ["domains", "observations"].map((table) => `lock table ${table}`);
    const next = { version: NEWEST_SCHEMA + 1, name: "next", statements };
    let migrating: Promise<void> | undefined;
    await database.write(async (sql) => {
      await sql`lock table observations in row exclusive mode`;
      const waiting = () => sql`select 1 from pg_locks where relation = to_regclass('observations')
        and not granted`;
      if (migrating === undefined) {
        migrating = migrate(database, [...MIGRATIONS, next]);
        while ((await waiting()).length === 0) await Bun.sleep(5);
      }
      await sql`lock table domains in row exclusive mode`;
    });
    await migrating;
    expect(await database.read(readSchema)).toBe(next.version);
  });
});
