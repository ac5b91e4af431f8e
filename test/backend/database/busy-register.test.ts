import { join } from "node:path";
import { copyFile } from "node:fs/promises";
import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { changeMany, parseBulk } from "../../../src/backend/domains/write/bulk.ts";
import { createApiClient } from "../../support/api-client.ts";
import { openRegister } from "../../support/empty-database.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { startServer } from "../../support/server-process.ts";

/** A search that no index helps, in an order that none has. */
const LONG_READ = "/api/domains?q=e-&sort=-price&limit=1&offset=6000";
const READS = 20;

describe("A server on SQLite", () => {
  test("goes on answering others while long reads of the register wait", async () => {
    await using register = await openRegister();
    const { database, url } = register;
    await fillRegister(database, 6000);
    // Beyond the size of a register that is read on the main thread.
    await database.write((sql) => sql`create table large as select zeroblob(9000000) as bytes`);
    await database.close();
    await using server = await startServer({ DATABASE_URL: url, SETUP_CODE: "let-me-in" });
    const client = createApiClient(server.url);
    await client.setUp("let-me-in");
    await client.request(LONG_READ);
    const state = { reading: true };
    const read = async () => (await client.request(LONG_READ)).status;
    const reads = Array.from({ length: READS }, read);
    const all = Promise.all(reads).finally(() => (state.reading = false));
    let answers = 0;
    for (; state.reading && answers <= READS; answers += 1) {
      await (await fetch(`${server.url}/healthz`)).text();
    }
    expect(await all).toEqual(Array.from(reads, () => 200));
    // On the thread that answers, there was one answer for all of the reads.
    expect(answers).toBeGreaterThan(READS);
  });

  test("folds what a bulk job wrote into the file, also while others read", async () => {
    await using register = await openRegister();
    const { database, file, folder } = register;
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
      const copy = join(folder, "copy.sqlite");
      await copyFile(file, copy);
      await using sql = new SQL({ adapter: "sqlite", filename: copy });
      // It has no table before anything is folded.
      const rows = await sql`select 1 from domains where owner = 'New'`.catch(() => []);
      folded = rows.length;
    }
  });
});
