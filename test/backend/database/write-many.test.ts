import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "bun:test";
import { isUniqueViolation } from "../../../src/backend/database/database-error.ts";
import type { Database } from "../../../src/backend/database/database.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { PAUSE, type Statements, type Work } from "../../../src/backend/database/run-all.ts";
import { insertion, statement } from "../../../src/backend/database/statement.ts";
import { databaseKind, test } from "../../support/both-databases.ts";
import { emptyPostgres } from "../../support/postgres.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

/** An empty database with a table of numbers. */
async function openWithTable() {
  const folder = createTemporaryFolder();
  const postgres = databaseKind() === "postgres" ? await emptyPostgres() : null;
  const url = postgres?.url ?? `sqlite://${join(folder.path, "t.sqlite")}`;
  const database = await openDatabase(url);
  await database.run(statement`create table t (n integer unique, word text)`);
  return {
    ...database,
    url,
    async [Symbol.asyncDispose]() {
      await database.close();
      await postgres?.[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

async function numbersIn(database: Database): Promise<number[]> {
  const rows = await database.read((sql) => sql<{ n: number }[]>`select n from t order by n`);
  return rows.map(({ n }) => n);
}

async function* addNumbers(numbers: readonly number[]): Statements<string> {
  for (const n of numbers) yield insertion("t", [{ n, word: "one" }]);
  return "added";
}

/** Where a link leads; empty where that is gone, or no link. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

describe("Database.run", () => {
  test("is on disk when it resolves, and rejects as the database does", async () => {
    await using database = await openWithTable();
    const word = "it's 世界 ?1 $1";
    const both = [
      { n: 1, word: "ä?" },
      { n: 2, word },
    ];
    await database.run(insertion("t", both));
    const rows = await database.read((sql) => sql`select n, word from t order by n`);
    expect([...rows]).toEqual(both);
    const again = await database.run(insertion("t", [{ n: 1, word }])).catch((error) => error);
    expect(isUniqueViolation(again)).toBe(true);
  });
});

describe("Database.runEach", () => {
  test("writes one after the other, and returns what the work does", async () => {
    await using database = await openWithTable();
    expect(await database.runEach(addNumbers([1, 2, 3]))).toBe("added");
    expect(await numbersIn(database)).toEqual([1, 2, 3]);
  });

  test("stops at a failure and undoes nothing, also of what others do at the same time", async () => {
    await using database = await openWithTable();
    const one = database.runEach(addNumbers([1, 2, 1, 3])).catch((error) => error);
    const other = database.runEach(addNumbers([4, 5, 6, 7, 8, 9]));
    const many = database.writeMany(() => addNumbers([10, 11, 12]));
    expect(isUniqueViolation(await one)).toBe(true);
    await Promise.all([other, many]);
    expect(await numbersIn(database)).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test("lets others write between two of its statements", async () => {
    await using database = await openWithTable();
    async function* slow(): Statements<void> {
      yield insertion("t", [{ n: 1, word: "one" }]);
      await database.run(insertion("t", [{ n: 2, word: "theirs" }]));
      yield insertion("t", [{ n: 3, word: "three" }]);
    }
    await database.runEach(slow());
    expect(await numbersIn(database)).toEqual([1, 2, 3]);
  });
});

/** Adds numbers with a pause wherever there may be one; returns how many there were. */
async function* addWithPauses(
  numbers: readonly number[],
  others: () => Promise<unknown>,
): Work<number> {
  let pauses = 0;
  for (const n of numbers) {
    yield insertion("t", [{ n, word: "ours" }]);
    void others();
    if (yield PAUSE) pauses += 1;
  }
  return pauses;
}

describe("a pause of Database.writeMany", () => {
  test("is one where somebody waits on SQLite, who sees what is there by then", async () => {
    await using database = await openWithTable();
    const seen: Promise<number[]>[] = [];
    const other = () => {
      if (seen.length > 0) return Promise.resolve();
      const written = database.run(insertion("t", [{ n: 100, word: "theirs" }]));
      seen.push(written.then(() => numbersIn(database)));
      return written;
    };
    const pauses = await database.writeMany(() => addWithPauses([1, 2, 3], other));
    const [theirs] = await Promise.all(seen);
    if (databaseKind() === "sqlite") expect([pauses, theirs?.includes(1)]).toEqual([1, true]);
    else expect(pauses).toBe(0);
    expect(await numbersIn(database)).toEqual([1, 2, 3, 100]);
  });

  test("is none where nobody waits: a failure undoes all of it", async () => {
    await using database = await openWithTable();
    const nobody = () => Promise.resolve();
    const failing = database.writeMany(() => addWithPauses([1, 2, 1], nobody));
    expect(isUniqueViolation(await failing.catch((error) => error))).toBe(true);
    expect(await numbersIn(database)).toEqual([]);
  });

  test("keeps what was before it when the work fails later", async () => {
    await using database = await openWithTable();
    const theirs: Promise<void>[] = [];
    const other = () => {
      if (theirs.length === 0) theirs.push(database.run(insertion("t", [{ n: 9, word: "x" }])));
      return Promise.all(theirs);
    };
    const failing = database.writeMany(() => addWithPauses([1, 2, 1], other));
    expect(isUniqueViolation(await failing.catch((error) => error))).toBe(true);
    await Promise.all(theirs);
    expect(await numbersIn(database)).toEqual(databaseKind() === "sqlite" ? [1, 9] : [9]);
    await database.writeMany(() => addNumbers([2]));
    expect((await numbersIn(database)).includes(2)).toBe(true);
  });
});

describe("a database that closes", () => {
  test("lets many writes come to their next pause on SQLite, and to their end on Postgres", async () => {
    await using database = await openWithTable();
    const closing: Promise<void>[] = [];
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const close = async () => void closing.push(database.close());
    const writing = database.writeMany(() => addWithPauses(numbers, close));
    const outcome = await writing.catch((error) => error.message);
    await Promise.all(closing);
    const stopped = databaseKind() === "sqlite";
    expect(outcome).toBe(stopped ? "The database is being closed" : 0);
    const again = await openDatabase(database.url);
    const kept = await numbersIn(again);
    await again.close();
    expect(kept).toEqual(stopped ? [0] : numbers);
  });

  test("begins nothing any more", async () => {
    await using database = await openWithTable();
    await database.close();
    await expect(database.writeMany(() => addNumbers([1]))).rejects.toThrow();
    await expect(database.runEach(addNumbers([2]))).rejects.toThrow();
    const again = await openDatabase(database.url);
    const kept = await numbersIn(again);
    await again.close();
    expect(kept).toEqual([]);
  });
});

describe("Database.writeMany", () => {
  test("writes all of it, and returns what the work does", async () => {
    await using database = await openWithTable();
    expect(await database.writeMany(() => addNumbers([1, 2, 3]))).toBe("added");
    expect(await numbersIn(database)).toEqual([1, 2, 3]);
  });

  test("writes nothing when a statement or the work fails, and serves on", async () => {
    await using database = await openWithTable();
    const refused = await database
      .writeMany(() => addNumbers([1, 2, 1, 3]))
      .catch((error) => error);
    expect(isUniqueViolation(refused)).toBe(true);
    async function* failing(): Statements<void> {
      yield* addNumbers([4, 5]);
      throw new Error("no");
    }
    await expect(database.writeMany(failing)).rejects.toThrow("no");
    expect(await numbersIn(database)).toEqual([]);
    await database.writeMany(() => addNumbers([6]));
    expect(await numbersIn(database)).toEqual([6]);
  });

  test("writes nothing of what comes after a failure that ends the transaction", async () => {
    await using database = await openWithTable();
    async function* overflowing(): Statements<void> {
      yield* addNumbers([1]);
      // As where the disk is full: SQLite undoes all of it by itself.
      yield statement`insert or rollback into t (n) values (1)`;
      yield* addNumbers([2, 3, 4]);
    }
    await expect(database.writeMany(overflowing)).rejects.toThrow();
    expect(await numbersIn(database)).toEqual([]);
  });

  test("reads one state of the data, which no other writer changes", async () => {
    await using database = await openWithTable();
    const others: Promise<void>[] = [];
    const total = await database.writeMany(async function* (sql): Statements<number> {
      yield insertion("t", [{ n: 1, word: "ours" }]);
      others.push(database.run(insertion("t", [{ n: 2, word: "theirs" }])));
      const rows = await sql<{ n: number }[]>`select n from t where word = 'theirs'`;
      await Bun.sleep(5);
      const later = await sql<{ n: number }[]>`select n from t where word = 'theirs'`;
      yield statement`update t set word = ${"changed"} where word = ${"theirs"}`;
      return rows.length + later.length;
    });
    await Promise.all(others);
    expect(total).toBe(0);
    const rows = await database.read((sql) => sql`select word from t order by n`);
    expect([...rows]).toEqual([{ word: "ours" }, { word: "theirs" }]);
  });

  test("shows readers all of it or nothing", async () => {
    await using database = await openWithTable();
    const counts = new Set<number>();
    const state = { done: false };
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    async function* readOnTheWay(): Statements<void> {
      yield* addNumbers(numbers.slice(0, 100));
      counts.add((await numbersIn(database)).length);
      yield* addNumbers(numbers.slice(100));
    }
    const writing = database.writeMany(readOnTheWay).finally(() => (state.done = true));
    while (!state.done) {
      counts.add((await numbersIn(database)).length);
      await Bun.sleep(1);
    }
    await writing;
    counts.add((await numbersIn(database)).length);
    expect([...counts]).toEqual([0, 200]);
  });

  test("goes one after another with other writers, whoever comes first", async () => {
    await using database = await openWithTable();
    await database.run(insertion("t", [{ n: 0, word: "counter" }]));
    const increment = () =>
      database.writeMany(async function* (sql): Statements<void> {
        yield statement`update t set word = word where word = 'counter'`;
        const [row] = await sql<{ n: number }[]>`select n from t`;
        yield statement`update t set n = ${(row?.n ?? 0) + 1}`;
      });
    const plainly = () => database.run(statement`update t set n = n + 1`);
    await Promise.all([increment(), plainly(), increment(), plainly()]);
    expect(await numbersIn(database)).toEqual([4]);
  });

  test("takes what a connection takes once, however many wait for their turn", async () => {
    await using database = await openWithTable();
    const open: number[] = [];
    async function* look(): Statements<void> {
      yield statement`update t set word = word`;
      const links = readdirSync("/dev/fd").map((fd) => linkOf(`/dev/fd/${fd}`));
      open.push(links.filter((link) => link === database.place).length);
    }
    await Promise.all(Array.from({ length: 6 }, () => database.writeMany(look)));
    expect(open).toEqual(Array.from({ length: 6 }, () => open[0] ?? NaN));
  });

  test("is waited for when the database closes", async () => {
    await using database = await openWithTable();
    const writing = database.writeMany(() => addNumbers([1, 2, 3]));
    await database.close();
    expect(await writing).toBe("added");
  });
});
