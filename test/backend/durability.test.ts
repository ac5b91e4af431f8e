import { expect, spyOn, test as bunTest } from "bun:test";
import type { Domain } from "../../src/shared/domain.ts";
import type { ApiClient } from "../support/api-client.ts";
import { startBackend } from "../support/backend-server.ts";
import { test } from "../support/both-databases.ts";
import { emptyDatabase } from "../support/empty-database.ts";
import {
  createPostgresIn,
  hasPostgres,
  ownCluster,
  preparedPostgres,
} from "../support/postgres.ts";
import { readPages } from "../support/read-pages.ts";
import { spawnBackend } from "../support/spawn-backend.ts";

/** Adds names, several at a time, until told to stop or the process is gone. */
function addNames(client: ApiClient) {
  const log = { stop: false, acknowledged: [] as string[], refused: 0, others: [] as unknown[] };
  const add = async (lane: number) => {
    for (let index = 0; !log.stop; index += 1) {
      const name = `n${lane}-${index}.example`;
      const json = { name, tags: ["a"], expires: "2027-01-01" };
      const response = await client.post("/api/domains", json).catch(() => null);
      if (response === null) return;
      const { status, headers } = response;
      if (status === 201) log.acknowledged.push(name);
      else if (status === 503 && headers.get("retry-after") === "1") log.refused += 1;
      else log.others.push([status, await response.text()]);
      if (status !== 201) await Bun.sleep(5);
    }
  };
  return Object.assign(log, { ended: Promise.all([0, 1, 2].map(add)) });
}

/** Every name that was acknowledged is there, whole. */
async function expectNames(client: ApiClient, acknowledged: readonly string[]) {
  const found = new Set<string>();
  for (const { name, tags, expires } of await readPages<Domain>(client, "/api/domains")) {
    expect([tags, expires?.date]).toEqual([["a"], "2027-01-01"]);
    found.add(name);
  }
  expect(acknowledged.filter((name) => !found.has(name))).toEqual([]);
}

test("a process that is killed while it writes loses nothing that it acknowledged", async () => {
  await using place = await emptyDatabase({ createPostgres: preparedPostgres });
  await using running = await spawnBackend(place.url);
  const { child, client } = running;
  expect((await client.setUp("let me in")).status).toBe(201);
  const adding = addNames(client);
  while (adding.acknowledged.length < 60) await Bun.sleep(5);
  child.kill("SIGKILL");
  await Promise.all([child.exited, adding.ended]);

  await using server = await startBackend({ databaseUrl: place.url, setupCode: null });
  const visitor = server.visitor();
  expect((await visitor.signIn()).status).toBe(200);
  await expectNames(visitor, adding.acknowledged);
});

test("two processes that start at once share one empty database", async () => {
  await using place = await emptyDatabase();
  await using processes = new AsyncDisposableStack();
  const both = await Promise.all([spawnBackend(place.url), spawnBackend(place.url)]);
  const [one, other] = both.map((each) => processes.use(each).client);
  expect((await one?.setUp("let me in"))?.status).toBe(201);
  expect((await other?.signIn())?.status).toBe(200);
  await one?.post("/api/domains", { name: "example.com" });
  expect(await other?.json("/api/domains")).toMatchObject({ total: 1 });
});

bunTest.skipIf(!hasPostgres)(
  "Postgres that crashes under load costs 503s while it is away, and nothing that was acknowledged",
  async () => {
    await using used = new AsyncDisposableStack();
    const cluster = await ownCluster();
    used.defer(() => cluster.stop());
    using quiet = spyOn(console, "error").mockImplementation(() => undefined);
    await using server = await startBackend({ databaseUrl: await createPostgresIn(cluster) });
    const client = await server.owner();
    const adding = addNames(client);
    const added = () => adding.acknowledged.length;
    for (const crash of [1, 2]) {
      const before = added();
      while (added() < before + 20) await Bun.sleep(5);
      await cluster.crash();
      expect([crash, adding.refused > 0]).toEqual([crash, true]);
    }
    // Postgres answers again, and so do we.
    const before = added();
    while (added() === before) await Bun.sleep(5);
    adding.stop = true;
    await adding.ended;
    expect(adding.others).toEqual([]);
    await expectNames(client, adding.acknowledged);
    expect(await server.backend.ready()).toBe(true);
    // One for each of a few reasons, such as that it starts, and not one for each request.
    expect(quiet.mock.calls.length).toBeLessThan(10);
  },
);
