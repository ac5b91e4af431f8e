import { describe, expect, test as once } from "bun:test";
import { OWNER, type ApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";

function prove(client: ApiClient, password: string): Promise<Response> {
  return client.request("/api/token/prove", { method: "POST", json: { password } });
}

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
