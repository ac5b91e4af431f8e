import { Database } from "bun:sqlite";
import { describe, expect, spyOn } from "bun:test";
import { createBackend } from "../../src/backend/backend.ts";
import { databaseFile } from "../../src/backend/database/sqlite.ts";
import { createApiClient } from "../support/api-client.ts";
import { SET_UP_CODE, startBackend } from "../support/backend-server.ts";
import { uploadFile } from "../support/import-client.ts";
import { createSteppedLoop } from "../support/stepped-loop.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { onSqlite, once as test } from "../support/owner-test.ts";

const PEER = { address: "127.0.0.1", remoteAddress: "127.0.0.1", secure: false };

describe("createBackend", () => {
  test("keeps everything over a restart, sessions included", async (client) => {
    await client.post("/api/domains", { name: "example.com" });
    await client.server.backend.close();

    const { databaseUrl } = client.server;
    await using again = await startBackend({ databaseUrl });
    expect(again.backend.setUpCode).toBeNull();
    const visitor = again.visitor();
    for (const [name, value] of client.cookies) visitor.cookies.set(name, value);
    expect((await visitor.post("/api/domains", { name: "example.net" })).status).toBe(201);
    expect(await visitor.json("/api/domains")).toMatchObject({ total: 2 });
  });

  test("says where what it added is, below the base path of the server", async () => {
    const loop = createSteppedLoop();
    await using server = await startBackend({ peer: { basePath: "/names" }, loop });
    const client = await server.owner();
    const fields = { apikey: "A", secretapikey: "B" };
    for (const [path, json] of [
      ["/api/domains", { name: "example.com" }],
      ["/api/accounts", { registrar: "porkbun", label: "A", fields, test: false }],
      ["/api/imports", { uploadId: await uploadFile(client, "Domain\na.example\n") }],
    ] as const) {
      const added = await client.post(path, json);
      const location = added.headers.get("location") ?? "";
      expect(location).toStartWith(`/names${path}/`);
      expect((await client.request(location.slice("/names".length))).status).toBe(200);
    }
  });

  test("prints the same random set-up code until somebody has used it", async () => {
    using folder = createTemporaryFolder();
    const databaseUrl = `sqlite://${folder.path}/register.sqlite`;
    const start = () => createBackend({ databaseUrl, setupCode: null, maxUploadBytes: 1 });
    const first = await start();
    await first.close();
    const second = await start();
    expect(second.setUpCode).toBe(first.setUpCode);
    using server = Bun.serve({ port: 0, fetch: (request) => second.fetch(request, PEER) });
    const created = await createApiClient(server.url).setUp(first.setUpCode);
    expect(created.status).toBe(201);
    await second.close();
    const third = await start();
    expect(third.setUpCode).toBeNull();
    await third.close();
  });

  onSqlite("keeps no row of who only looks, and no secret that would open a door", async () => {
    await using server = await startBackend();
    using database = new Database(databaseFile(server.databaseUrl), { readonly: true });
    for (let visit = 0; visit < 20; visit += 1) await server.visitor().request("/api/token");
    expect(database.query("select count(*) as n from sessions").get()).toEqual({ n: 0 });
    const client = server.visitor();
    await client.setUp(SET_UP_CODE);
    const session = client.cookies.get("freehold-session") ?? "";
    const [row] = database.query<{ id_hash: string }, []>("select id_hash from sessions").all();
    expect(row?.id_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(row?.id_hash).not.toContain(session);
    const [user] = database.query<{ password: string }, []>("select password from users").all();
    expect(user?.password).toStartWith("$argon2id$");
  });
});

/** What SQLite and Postgres say of a connection that is closed. */
const CLOSED =
  /database .*(?:cannot be used: Connection closed|closed the connection: is it running\?)/;

describe("Backend.fetch", () => {
  test("answers 503 with Retry-After when the database is gone, and logs why, once", async (client) => {
    const { backend } = client.server;
    expect(await backend.ready()).toBe(true);
    await backend.close();
    using log = spyOn(console, "error").mockImplementation(() => undefined);
    const response = await client.request("/api/domains?q=private");
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await response.text()).not.toMatch(/select|sqlite|closed/i);
    expect(log).toHaveBeenCalledTimes(1);
    const [line] = log.mock.calls[0] ?? [];
    expect(line).toMatch(CLOSED);
    expect(line).toEndWith(" (Requests get 503 until it is back.)");
    expect(await backend.ready()).toMatch(CLOSED);
  });

  onSqlite("answers a bug with 500 without stack, SQL or path, logged once", async (client) => {
    using database = new Database(databaseFile(client.server.databaseUrl));
    database.run("drop table domain_tags");
    using log = spyOn(console, "error").mockImplementation(() => undefined);
    const response = await client.post("/api/domains", { name: "example.com", tags: ["a"] });
    const title = "Internal Server Error";
    const detail = "Something went wrong on the server. See its log.";
    expect(await response.json()).toEqual({ type: "about:blank", title, status: 500, detail });
    expect(log).toHaveBeenCalledTimes(1);
  });
});
