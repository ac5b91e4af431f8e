import type { Socket, SQL } from "bun";
import { describe, expect, spyOn, test as bunTest } from "bun:test";
import { UnavailableError } from "../../../src/backend/database/database-error.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { startBackend } from "../../support/backend-server.ts";
import { hasPostgres, preparedPostgres } from "../../support/postgres.ts";

const test = bunTest.skipIf(!hasPostgres);

/** Milliseconds: long enough for a slow machine's answers, short enough for a test. */
const TIMEOUTS = { readMs: 500, writeMs: 500, bulkMs: 500 };

interface End {
  peer: Promise<Socket<End>>;
}

/** A database behind a line that can go dead: what is sent is taken, and nobody ever answers. */
async function behindLine() {
  const postgres = await preparedPostgres();
  const url = new URL(postgres.url);
  const { hostname, port } = url;
  const line = { dead: false };
  const far = {
    data: (socket: Socket<End>, bytes: Buffer) => void pass(socket, bytes),
    close: (socket: Socket<End>) => void socket.data.peer.then((peer) => peer.end()),
  };
  async function pass(socket: Socket<End>, bytes: Buffer) {
    const peer = await socket.data.peer;
    if (!line.dead) peer.write(bytes);
  }
  const listener = Bun.listen<End>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      ...far,
      open(socket) {
        const data = { peer: Promise.resolve(socket) };
        const peer = Bun.connect<End>({ hostname, port: Number(port), data, socket: far });
        socket.data = { peer };
      },
    },
  });
  url.port = String(listener.port);
  return {
    url: url.href,
    line,
    async [Symbol.asyncDispose]() {
      listener.stop(true);
      await postgres[Symbol.asyncDispose]();
    },
  };
}

describe("Postgres that takes connections and never answers", () => {
  test("costs 503 in time, and nothing once it answers again", async () => {
    await using place = await behindLine();
    using quiet = spyOn(console, "error").mockImplementation(() => undefined);
    const options = { databaseUrl: place.url, timeouts: TIMEOUTS, instances: 1 };
    await using server = await startBackend(options);
    const client = await server.owner();
    place.line.dead = true;
    const json = { name: "example.com" };
    const answers = await Promise.all([
      client.request("/api/domains"),
      client.post("/api/domains", json),
      client.request("/api/token"),
    ]);
    for (const { status, headers } of answers) {
      expect(status).toBe(503);
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(headers.get("retry-after")).toBe("1");
    }
    expect(await server.backend.ready()).toMatch(/^the database did not answer within 500 ms: /);
    expect(quiet).toHaveBeenCalledTimes(1);
    place.line.dead = false;
    const add = async () => (await client.post("/api/domains", json)).status;
    let status = await add();
    while (status === 503) status = await add();
    expect(status).toBe(201);
    expect(await server.backend.ready()).toBe(true);
  });

  test("is given up in the middle of a write, too", async () => {
    await using place = await behindLine();
    const database = await openDatabase(place.url, TIMEOUTS);
    const { line } = place;
    const goDead = {
      name: "go dead",
      async run(sql: SQL) {
        line.dead = true;
        await sql`select 1`;
      },
    };
    const writes = [
      database.write(async (sql) => {
        await sql`select 1`;
        while (!line.dead) await Bun.sleep(1);
        await sql`select 1`;
      }),
      database.writeMany(goDead, null),
    ];
    const results = await Promise.all(writes.map((write) => write.catch((error) => error)));
    for (const result of results) expect(result).toBeInstanceOf(UnavailableError);
    const select = () => database.write((sql) => sql`select 1`);
    expect(await select().catch((error) => error)).toBeInstanceOf(Error);
    line.dead = false;
    while ((await select().catch(() => null)) === null) await Bun.sleep(5);
    await database.close();
  });
});
