import { join } from "node:path";
import { afterAll, describe, expect, test } from "bun:test";
import { migrate } from "../../../src/backend/database/migrate.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { endIdleThreads, withThread } from "../../../src/backend/database/threads.ts";
import { readFacets } from "../../../src/backend/domains/read-jobs.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const NativeWorker = globalThis.Worker;
const started: Worker[] = [];
globalThis.Worker = class extends NativeWorker {
  constructor(url: string | URL) {
    super(url);
    started.push(this);
  }
};
afterAll(() => {
  globalThis.Worker = NativeWorker;
});

describe("withThread", () => {
  test("starts another thread for one that ended while it had no job", async () => {
    using folder = createTemporaryFolder();
    const file = join(folder.path, "register.sqlite");
    const database = await openDatabase(`sqlite://${file}`);
    await migrate(database);
    await database.close();
    const read = () =>
      withThread((thread) => thread.run(readFacets, { file, kind: "read", input: null }));
    // Those that other tests left end with a job that fails, until one had to be started.
    while (started.length === 0) {
      await withThread(() => Promise.reject(new Error("ended"))).catch(() => undefined);
    }
    const facets = await read();
    expect(started).toHaveLength(2);
    const { promise: ended, resolve } = Promise.withResolvers<unknown>();
    started[1]?.addEventListener("close", resolve);
    started[1]?.terminate();
    await ended;
    expect(await read()).toEqual(facets);
    expect(started).toHaveLength(3);
    await endIdleThreads(file);
  });
});
