import { Glob } from "bun";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "bun:test";
import { endIdleThreads, withThread } from "../../../src/backend/database/threads.ts";
import { isRequestError } from "../../../src/backend/http/request-error.ts";
import { undoImport } from "../../../src/backend/import/import-jobs.ts";
import { readFacets } from "../../../src/backend/domains/list/facets.ts";
import { isRecord } from "../../../src/shared/parse.ts";
import { openRegister } from "../../support/empty-database.ts";
import { EVERYTHING } from "../../../src/backend/http/route.ts";

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
    await using register = await openRegister();
    const { file } = register;
    const input = { today: "2026-11-27", sight: EVERYTHING } as const;
    const read = () =>
      withThread((thread) => thread.run(readFacets, { file, kind: "read", input }));
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

  test("hands a refusal on with its members, and keeps the thread", async () => {
    await using register = await openRegister();
    const { file } = register;
    const id = Bun.randomUUIDv7();
    const input = { id, by: { id: null, name: "Pat", token: null } };
    const undo = () =>
      withThread((thread) => thread.run(undoImport, { file, kind: "write", input }));
    const refused = await undo().catch((error: unknown) => error);
    expect(isRequestError(refused)).toBe(true);
    const detail = "This import no longer exists.";
    expect(refused).toMatchObject({ status: 404, message: detail, extra: {}, headers: {} });
    const before = started.length;
    expect(isRequestError(await undo().catch((error: unknown) => error))).toBe(true);
    expect(started).toHaveLength(before);
    await endIdleThreads(file);
  });
});

const BACKEND = join(import.meta.dir, "../../../src/backend");
const PROGRAM = "database-worker.ts";

/** The names of the jobs that rooms export: each has a name and runs. */
async function listJobs(): Promise<string[]> {
  const names: string[] = [];
  for await (const file of new Glob("**/*.ts").scan(BACKEND)) {
    // A migration has a name and runs, too.
    if (file === PROGRAM || file.startsWith("database/migrations/")) continue;
    for (const value of Object.values(await import(join(BACKEND, file)))) {
      if (!isRecord(value) || typeof value["run"] !== "function") continue;
      if (typeof value["name"] === "string") names.push(value["name"]);
    }
  }
  return names;
}

test("the program of the threads has every job of every room, each with a name of its own", async () => {
  await using register = await openRegister();
  const { file } = register;
  const worker = new NativeWorker(join(BACKEND, PROGRAM));
  const nextReply = () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    worker.addEventListener("message", ({ data }) => resolve(JSON.stringify(data)), {
      once: true,
    });
    return promise;
  };
  await nextReply();
  const names = await listJobs();
  expect(names.length).toBeGreaterThan(30);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  for (const name of names) {
    const replied = nextReply();
    worker.postMessage({ file, kind: "read", name, input: null }, []);
    // Without an input it may fail in any other way.
    expect(await replied).not.toContain("has no job");
  }
  worker.terminate();
});
