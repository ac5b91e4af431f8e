import { join } from "node:path";
import { describe, expect } from "bun:test";
import * as fc from "fast-check";
import type { Database } from "../../../src/backend/database/database.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { insertRows, updateRows, type SqlValue } from "../../../src/backend/database/bulk-rows.ts";
import { databaseKind, test } from "../../support/both-databases.ts";
import { preparedPostgres } from "../../support/postgres.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

type Row = Record<"n" | "word" | "small" | "large" | "share", SqlValue>;

/** A database with a table of every type of column that the backend has. */
async function openWithTable() {
  const folder = createTemporaryFolder();
  const postgres = databaseKind() === "postgres" ? await preparedPostgres() : null;
  const database =
    postgres?.database ?? (await openDatabase(`sqlite://${join(folder.path, "t.sqlite")}`));
  await database.write(
    (sql) => sql`create table t (
      n integer primary key, word text, small smallint, large bigint, share double precision)`,
  );
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      if (postgres === null) await database.close();
      else await database.write((sql) => sql`drop table if exists t, d`);
      await postgres?.[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

async function rowsIn(database: Database): Promise<Row[]> {
  const rows = await database.read(
    (sql) => sql<Row[]>`select n, word, small, cast(large as double precision) as large, share
      from t order by n`,
  );
  return [...rows];
}

/** Text with all that an array or JSON might take for something else. */
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(..."\\\"{},'/u0nrbt d8\n\r\t\b\f\u0001\u001f\u2028ä世😀") }),
  fc.constantFrom("null", "NULL", "{}", "\\u0041", '\\"', "\\\\n", "\ud83d", "a\udc00\\", ""),
);

const row = fc.record({
  word: fc.option(text),
  small: fc.option(fc.constantFrom(0, 1)),
  large: fc.option(fc.maxSafeInteger()),
  share: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
});

describe("insertRows", () => {
  test("adds many rows as they are", async () => {
    await using database = await openWithTable();
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 10, maxLength: 40 }), async (given) => {
        const rows = given.map((each, n) => Object.assign(each, { n }));
        await database.write((sql) => sql`delete from t`);
        await database.write((sql) => insertRows(sql, "t", rows));
        // Half a surrogate pair is no text: UTF-8 has none.
        const well = rows.map(({ n, word, small, large, share }) => ({
          n,
          word: word && word.toWellFormed(),
          small,
          large,
          share: share === null ? null : share + 0,
        }));
        expect(await rowsIn(database)).toEqual(well);
      }),
      { numRuns: 60 },
    );
  });

  test("adds many rows of which nothing is known in some columns, or in the first", async () => {
    await using database = await openWithTable();
    const nothing = { word: null, small: null, large: null };
    const rows = Array.from({ length: 30 }, (_, n) => ({ ...nothing, n, share: n / 8 }));
    await database.write((sql) => insertRows(sql, "t", rows));
    expect(await rowsIn(database)).toEqual(rows);
  });

  test("leaves many rows to the clause behind them", async () => {
    await using database = await openWithTable();
    const add = (word: string, clause?: string) => {
      const rows = Array.from({ length: 30 }, (_, n) => ({ n, word }));
      return database.write((sql) => insertRows(sql, "t", rows, clause));
    };
    await add("first");
    await add("second", "on conflict (n) do nothing");
    const words = async () => new Set((await rowsIn(database)).map(({ word }) => word));
    expect(await words()).toEqual(new Set(["first"]));
    await add("third", "on conflict (n) do update set word = excluded.word");
    expect(await words()).toEqual(new Set(["third"]));
    await expect(add("fourth")).rejects.toThrow();
    expect(await words()).toEqual(new Set(["third"]));
  });

  test("fails as every statement does where there is no such table or column", async () => {
    await using database = await openWithTable();
    const rows = Array.from({ length: 30 }, (_, n) => ({ n, absent: "x" }));
    const insert = (table: string) => database.write((sql) => insertRows(sql, table, rows));
    await expect(insert("t")).rejects.toThrow("absent");
    await expect(insert("nowhere")).rejects.toThrow("nowhere");
    await database.write((sql) => insertRows(sql, "t", [{ n: 1 }]));
    expect(await rowsIn(database)).toHaveLength(1);
  });

  test("takes NUL among many rows as it takes it in one", async () => {
    await using database = await openWithTable();
    const add = async (rows: number, n: number) => {
      const words = Array.from({ length: rows }, (_, index) => ({ n: n + index, word: "a\0b" }));
      await database.write((sql) => insertRows(sql, "t", words)).catch(() => undefined);
      return new Set((await rowsIn(database)).map(({ word }) => word));
    };
    expect(await add(1, 0)).toEqual(await add(30, 1));
  });
});

test("updateRows overwrites the columns that it is given, and adds no row", async () => {
  await using database = await openWithTable();
  await database.write((sql) => sql`create table d (id text primary key, a text, n integer)`);
  await database.write((sql) => sql`insert into d values ('one', 'was', 1), ('two', 'was', 2)`);
  const changes = [
    { id: "one", a: null },
    { id: "gone", a: "new" },
  ];
  await database.write((sql) => updateRows(sql, "d", changes));
  const rows = await database.read((sql) => sql`select id, a, n from d order by id`);
  expect([...rows]).toEqual([
    { id: "one", a: null, n: 1 },
    { id: "two", a: "was", n: 2 },
  ]);
});
