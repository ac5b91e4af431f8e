import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "bun:test";
import { LOG_BYTES } from "../../../src/backend/database/checkpointer.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

describe("createCheckpointer", () => {
  test("folds a long log into the database, and lets it be used anew from its start", async () => {
    using folder = createTemporaryFolder();
    const file = join(folder.path, "test.sqlite");
    const database = await openDatabase(`sqlite://${file}`);
    const text = "x".repeat(3000);
    await database.write(async (sql) => {
      await sql`create table t (n integer, text text)`;
      for (let n = 0; n < 3000; n += 1) await sql`insert into t (n, text) values (${n}, ${text})`;
    });
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(2 * LOG_BYTES);
    for (let tries = 0; statSync(file).size < 2 * LOG_BYTES && tries < 500; tries += 1) {
      await Bun.sleep(10);
    }
    expect(statSync(file).size).toBeGreaterThan(2 * LOG_BYTES);

    // From its start: by then, the file grows no more.
    const grow = async () => {
      const { size } = statSync(`${file}-wal`);
      await database.write((sql) => sql`insert into t (n, text) values (-1, ${text.repeat(100)})`);
      return statSync(`${file}-wal`).size > size;
    };
    for (let tries = 0; (await grow()) && tries < 100; tries += 1) await Bun.sleep(10);
    expect(await grow()).toBe(false);
    // It is cut when nobody has written for a while.
    for (let tries = 0; statSync(`${file}-wal`).size > LOG_BYTES && tries < 500; tries += 1) {
      await Bun.sleep(10);
    }
    expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(LOG_BYTES);
    const [row] = await database.read((sql) => sql`select count(*) as n from t where n >= 0`);
    expect(row).toEqual({ n: 3000 });
    await database.close();
  });

  test("keeps a log short in which somebody writes all the time", async () => {
    using folder = createTemporaryFolder();
    const file = join(folder.path, "test.sqlite");
    const database = await openDatabase(`sqlite://${file}`);
    await database.write((sql) => sql`create table t (n integer primary key, text text)`);
    const text = "x".repeat(30_000);
    let left = 3000;
    const write = async () => {
      for (; left > 0; left -= 1) {
        await database.write((sql) => sql`insert into t (text) values (${text})`);
        await setImmediate();
      }
    };
    await Promise.all(Array.from({ length: 100 }, write));
    expect(statSync(`${file}-wal`).size).toBeLessThan(24 * LOG_BYTES);
    await database.close();
  });
});
