import { describe, expect, setSystemTime, test as once } from "bun:test";
import { createResetCode } from "../../../src/backend/auth/owner.ts";
import { openDatabase } from "../../../src/backend/database/database.ts";
import { OWNER, type ApiClient } from "../../support/api-client.ts";
import { startBackend, type BackendServer } from "../../support/backend-server.ts";
import { test } from "../../support/both-databases.ts";

/** The answer to a sign-in of the owner. */
const SIGNED_IN = {
  state: "signed-in",
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  email: OWNER.email,
  name: OWNER.email,
  role: "owner",
};

const NEXT = "a longer horse battery";

async function reset(client: ApiClient, resetCode: string, password = NEXT): Promise<Response> {
  await client.request("/api/token");
  return client.request("/api/token", { method: "POST", json: { resetCode, password } });
}

async function stateOf(client: ApiClient): Promise<number> {
  return (await client.request("/api/domains")).status;
}

describe("a code of `owner reset`", () => {
  test("sets a new password once, signs in, and ends every other session", async () => {
    await using server = await startBackend();
    const owner = await server.owner();
    const replaced = await createResetCode(server.databaseUrl);
    const code = await createResetCode(server.databaseUrl);
    expect(code).toMatch(/^(?:[2-9A-HJKMNP-TV-Z]{4}-){3}[2-9A-HJKMNP-TV-Z]{4}$/);
    expect(await settingsOf(server)).not.toContain(code);

    const visitor = server.visitor();
    expect((await reset(visitor, replaced)).status).toBe(403);
    expect((await reset(visitor, "AAAA-BBBB-CCCC-DDDD")).status).toBe(403);
    expect((await reset(visitor, code, "password1234")).status).toBe(400);
    const response = await reset(visitor, ` ${code.toLowerCase()}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(SIGNED_IN);
    expect([await stateOf(visitor), await stateOf(owner)]).toEqual([200, 401]);
    expect((await reset(server.visitor(), code)).status).toBe(403);
    expect((await server.visitor().signIn()).status).toBe(401);
    expect((await server.visitor().signIn(NEXT)).status).toBe(200);
  });

  once("ends after an hour", async () => {
    await using server = await startBackend();
    await server.owner();
    const code = await createResetCode(server.databaseUrl);
    try {
      setSystemTime(Date.now() + 60 * 60_000 + 1000);
      expect((await reset(server.visitor(), code)).status).toBe(403);
    } finally {
      setSystemTime();
    }
    expect((await server.visitor().signIn()).status).toBe(200);
  });

  test("helps who is locked out after too many attempts", async () => {
    await using server = await startBackend();
    await server.owner();
    const visitor = server.visitor();
    for (let attempt = 0; attempt < 10; attempt += 1) await visitor.signIn("forgotten");
    expect((await visitor.signIn()).status).toBe(429);
    const code = await createResetCode(server.databaseUrl);
    expect((await reset(visitor, code)).status).toBe(200);
    expect((await server.visitor().signIn(NEXT)).status).toBe(200);
  });
});

async function settingsOf({ databaseUrl }: BackendServer): Promise<string> {
  const database = await openDatabase(databaseUrl);
  const rows = await database.read((sql) => sql<unknown[]>`select * from settings`);
  await database.close();
  return JSON.stringify(rows);
}
