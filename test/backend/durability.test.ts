import { join } from "node:path";
import { describe, expect } from "bun:test";
import { createBackend } from "../../src/backend/backend.ts";
import { createApiClient, type ApiClient } from "../support/api-client.ts";
import { databaseKind, test } from "../support/both-databases.ts";
import { emptyPostgres, preparedPostgres } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const SCRIPT = join(import.meta.dir, "..", "support", "serve-backend.ts");

/** A database of the kind that the test is for, which is empty unless that costs too much. */
async function emptyPlace(createPostgres = emptyPostgres) {
  const folder = createTemporaryFolder();
  const postgres = databaseKind() === "postgres" ? await createPostgres() : null;
  return {
    databaseUrl: postgres?.url ?? `sqlite://${join(folder.path, "register.sqlite")}`,
    async [Symbol.asyncDispose]() {
      await postgres?.[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

type Place = Awaited<ReturnType<typeof emptyPlace>>;

/** Starts the backend in a process of its own and waits for its port. */
async function spawnBackend({ databaseUrl }: Place) {
  const child = Bun.spawn([process.execPath, SCRIPT, databaseUrl], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const port = new TextDecoder().decode(value).trim();
  return { child, origin: `http://127.0.0.1:${port}` };
}

/** Adds names without end, several at a time, and keeps those that were acknowledged. */
async function addUntilDead(client: ApiClient, lane: number, acknowledged: string[]) {
  for (let index = 0; ; index += 1) {
    const name = `n${lane}-${index}.example`;
    const json = { name, tags: ["a"], expires: "2027-01-01" };
    const response = await client
      .request("/api/domains", { method: "POST", json })
      .catch(() => null);
    if (response?.status !== 201) return;
    acknowledged.push(name);
  }
}

describe("a process that is killed while it writes", () => {
  test("loses nothing that it acknowledged", async () => {
    await using place = await emptyPlace(preparedPostgres);
    const { child, origin } = await spawnBackend(place);
    const acknowledged: string[] = [];
    try {
      const client = createApiClient(origin);
      expect((await client.setUp("let me in")).status).toBe(201);
      const lanes = [0, 1, 2].map((lane) => addUntilDead(client, lane, acknowledged));
      while (acknowledged.length < 60) await Bun.sleep(5);
      child.kill("SIGKILL");
      await Promise.all(lanes);
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }

    await using server = await reopen(place);
    const client = createApiClient(server.url);
    expect((await client.signIn()).status).toBe(200);
    const found = new Set<string>();
    for (let after: string | null = ""; after !== null;) {
      const page = await (await client.request(`/api/domains?limit=200&after=${after}`)).json();
      for (const { name, tags, expires } of page.items) {
        expect([tags, expires?.date]).toEqual([["a"], "2027-01-01"]);
        found.add(name);
      }
      after = page.next;
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(60);
    expect(acknowledged.filter((name) => !found.has(name))).toEqual([]);
  });
});

describe("two processes that start at once", () => {
  test("share one empty database", async () => {
    await using place = await emptyPlace();
    const both = await Promise.all([spawnBackend(place), spawnBackend(place)]);
    try {
      const [one, other] = both.map(({ origin }) => createApiClient(origin));
      expect((await one?.setUp("let me in"))?.status).toBe(201);
      expect((await other?.signIn())?.status).toBe(200);
      await one?.request("/api/domains", { method: "POST", json: { name: "example.com" } });
      expect(await other?.json("/api/domains")).toMatchObject({ total: 1 });
    } finally {
      for (const { child } of both) child.kill("SIGKILL");
      await Promise.all(both.map(({ child }) => child.exited));
    }
  });
});

async function reopen({ databaseUrl }: Place) {
  const options = { databaseUrl, setupCode: null, maxUploadBytes: 1 };
  const backend = await createBackend(options);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) =>
      backend.fetch(request, { address: "127.0.0.1", remoteAddress: "127.0.0.1", secure: false }),
  });
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      await backend.close();
    },
  };
}
