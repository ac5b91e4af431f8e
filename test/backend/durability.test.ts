import { describe, expect } from "bun:test";
import type { Domain } from "../../src/shared/domain.ts";
import type { ApiClient } from "../support/api-client.ts";
import { startBackend } from "../support/backend-server.ts";
import { test } from "../support/both-databases.ts";
import { emptyDatabase } from "../support/empty-database.ts";
import { preparedPostgres } from "../support/postgres.ts";
import { readPages } from "../support/read-pages.ts";
import { spawnBackend } from "../support/spawn-backend.ts";

/** Adds names without end, several at a time, and keeps those that were acknowledged. */
async function addUntilDead(client: ApiClient, lane: number, acknowledged: string[]) {
  for (let index = 0; ; index += 1) {
    const name = `n${lane}-${index}.example`;
    const json = { name, tags: ["a"], expires: "2027-01-01" };
    const response = await client.post("/api/domains", json).catch(() => null);
    if (response?.status !== 201) return;
    acknowledged.push(name);
  }
}

describe("a process that is killed while it writes", () => {
  test("loses nothing that it acknowledged", async () => {
    await using place = await emptyDatabase({ createPostgres: preparedPostgres });
    const acknowledged: string[] = [];
    {
      await using running = await spawnBackend(place.url);
      const { child, client } = running;
      expect((await client.setUp("let me in")).status).toBe(201);
      const lanes = [0, 1, 2].map((lane) => addUntilDead(client, lane, acknowledged));
      while (acknowledged.length < 60) await Bun.sleep(5);
      child.kill("SIGKILL");
      await Promise.all(lanes);
    }

    await using server = await startBackend({ databaseUrl: place.url, setupCode: null });
    const client = server.visitor();
    expect((await client.signIn()).status).toBe(200);
    const found = new Set<string>();
    for (const { name, tags, expires } of await readPages<Domain>(client, "/api/domains")) {
      expect([tags, expires?.date]).toEqual([["a"], "2027-01-01"]);
      found.add(name);
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(60);
    expect(acknowledged.filter((name) => !found.has(name))).toEqual([]);
  });
});

describe("two processes that start at once", () => {
  test("share one empty database", async () => {
    await using place = await emptyDatabase();
    await using processes = new AsyncDisposableStack();
    const both = await Promise.all([spawnBackend(place.url), spawnBackend(place.url)]);
    const [one, other] = both.map((each) => processes.use(each).client);
    expect((await one?.setUp("let me in"))?.status).toBe(201);
    expect((await other?.signIn())?.status).toBe(200);
    await one?.post("/api/domains", { name: "example.com" });
    expect(await other?.json("/api/domains")).toMatchObject({ total: 1 });
  });
});
