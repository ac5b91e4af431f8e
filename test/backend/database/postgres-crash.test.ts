import { describe, expect, spyOn, test as bunTest } from "bun:test";
import type { Domain } from "../../../src/shared/domain.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { createPostgresIn, hasPostgres, ownCluster } from "../../support/postgres.ts";
import { readPages } from "../../support/read-pages.ts";

const test = bunTest.skipIf(!hasPostgres);

/** Names in flight at a time. */
const LANES = 4;

interface Log {
  acknowledged: string[];
  refused: number;
  others: unknown[];
}

/** Adds names until told to stop; an answer is 201, or 503 that asks for patience. */
async function addNames(client: ApiClient, lane: number, state: { stop: boolean }, log: Log) {
  for (let index = 0; !state.stop; index += 1) {
    const name = `n${lane}-${index}.example`;
    const json = { name, tags: ["a"], expires: "2027-01-01" };
    const response = await client.post("/api/domains", json);
    const retry = response.headers.get("retry-after");
    if (response.status === 201) log.acknowledged.push(name);
    else if (response.status === 503 && retry === "1") log.refused += 1;
    else log.others.push([response.status, await response.text()]);
    if (response.status !== 201) await Bun.sleep(5);
  }
}

describe("Postgres that crashes under load", () => {
  test("costs 503s while it is away, and nothing that was acknowledged", async () => {
    const cluster = await ownCluster();
    using quiet = spyOn(console, "error").mockImplementation(() => undefined);
    try {
      const databaseUrl = await createPostgresIn(cluster);
      await using server = await startBackend({ databaseUrl });
      const client = await server.owner();
      const log: Log = { acknowledged: [], refused: 0, others: [] };
      const state = { stop: false };
      const lanes = Array.from({ length: LANES }, (_, lane) => addNames(client, lane, state, log));
      for (const crash of [1, 2]) {
        const before = log.acknowledged.length;
        while (log.acknowledged.length < before + 20) await Bun.sleep(5);
        await cluster.crash();
        expect([crash, log.refused > 0]).toEqual([crash, true]);
      }
      // Postgres answers again, and so do we.
      const before = log.acknowledged.length;
      while (log.acknowledged.length === before) await Bun.sleep(5);
      state.stop = true;
      await Promise.all(lanes);
      expect(log.others).toEqual([]);

      const found = new Set<string>();
      for (const { name, tags, expires } of await readPages<Domain>(client, "/api/domains")) {
        expect([tags, expires?.date]).toEqual([["a"], "2027-01-01"]);
        found.add(name);
      }
      expect(log.acknowledged.filter((name) => !found.has(name))).toEqual([]);
      expect(await server.backend.ready()).toBe(true);
      // One for each of a few reasons, such as that it starts, and not one for each request.
      expect(quiet.mock.calls.length).toBeLessThan(10);
    } finally {
      await cluster.stop();
    }
  });
});
