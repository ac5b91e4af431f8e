import { describe, expect, test as once } from "bun:test";
import { parseCreatedToken } from "../../../src/shared/tokens.ts";
import { OWNER, type ApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";

function prove(client: ApiClient, password: string): Promise<Response> {
  return client.request("/api/token/prove", { method: "POST", json: { password } });
}

/** What gives power, or moves secrets. */
const POWER = [
  ["PUT", "/api/mail-server"],
  ["DELETE", "/api/mail-server"],
  ["POST", "/api/channels"],
  ["PATCH", `/api/channels/${crypto.randomUUID()}`],
  ["POST", "/api/calendars"],
  ["POST", "/api/accounts"],
  ["PATCH", `/api/accounts/${crypto.randomUUID()}`],
  ["PATCH", `/api/people/${crypto.randomUUID()}`],
  ["POST", "/api/invitations"],
  ["POST", "/api/tokens"],
  ["PUT", "/api/sign-in"],
] as const;

once("a power that outlasts the request is not for tokens or old sessions", async () => {
  await using server = await startBackend();
  const client = await server.owner();
  const json = { name: "Script", scope: "write" };
  const { token } = parseCreatedToken(await client.json("/api/tokens", { method: "POST", json }));
  const headers = { Authorization: `Bearer ${token}` };
  for (const [method, path] of POWER) {
    const byToken = await server.visitor().request(path, { method, json: {}, headers });
    await server.write((sql) => sql`update sessions set proved_at = ''`);
    const refused = await client.request(path, { method, json: {} });
    expect((await prove(client, OWNER.password)).status).toBe(204);
    const { status } = await client.request(path, { method, json: {} });
    expect([path, byToken.status, refused.status, status === 403]).toEqual([path, 403, 403, false]);
    expect(await refused.json()).toMatchObject({ proof: true });
  }
});

describe("POST /api/token/prove", () => {
  once("counts a wrong password as a failed sign-in, with 403", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const wrong = await prove(client, "not the password");
    expect(wrong.status).toBe(403);
    expect(await wrong.json()).toMatchObject({ errors: [{ pointer: "/password" }] });
    expect((await prove(client, OWNER.password)).status).toBe(204);
    for (let attempt = 0; attempt < 9; attempt += 1) await prove(client, "wrong");
    expect((await prove(client, "wrong")).status).toBe(429);
    expect((await prove(client, OWNER.password)).status).toBe(429);
    expect((await server.visitor().signIn()).status).toBe(429);
  });
});
