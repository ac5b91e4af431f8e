import { describe, expect, setSystemTime, test as once } from "bun:test";
import { parseAuditPage } from "../../../src/shared/audit.ts";
import { OWNER, type ApiClient } from "../../support/api-client.ts";
import { startBackend, type BackendServer } from "../../support/backend-server.ts";
import { onSqlite, test } from "../../support/both-databases.ts";
import { joinAs } from "../../support/people.ts";

const DAY_MS = 24 * 60 * 60_000;
const NEXT = "a longer horse battery";

/** Somebody who has signed in with another device. */
async function signedIn(server: BackendServer): Promise<ApiClient> {
  const client = server.visitor();
  expect((await client.signIn()).status).toBe(200);
  return client;
}

async function stateOf(client: ApiClient): Promise<unknown> {
  return (await client.request("/api/domains")).status;
}

describe("a wrong password of a person who is signed in", () => {
  once.each([
    ["POST", "/api/token/prove", "/password", (password: string) => ({ password })],
    ["PUT", "/api/password", "/current", (current: string) => ({ current, next: NEXT })],
    [
      "PUT",
      "/api/email",
      "/password",
      (password: string) => ({ email: "eve@example.com", password }),
    ],
  ] as const)(
    "is 403 for %s %s, and counts as a failed sign-in",
    async (method, path, pointer, body) => {
      await using server = await startBackend();
      const client = await server.owner();
      const ask = (password: string) => client.request(path, { method, json: body(password) });
      const wrong = await ask("not the password");
      expect(wrong.status).toBe(403);
      expect(await wrong.json()).toMatchObject({ errors: [{ pointer }] });
      for (let attempt = 0; attempt < 8; attempt += 1) await ask("wrong");
      expect([(await ask("wrong")).status, (await ask(OWNER.password)).status]).toEqual([429, 429]);
      expect((await server.visitor().signIn()).status).toBe(429);
      expect(await client.json("/api/token")).toMatchObject({ email: OWNER.email });
      await server.write((sql) => sql`delete from failed_sign_ins`);
      expect((await server.visitor().signIn()).status).toBe(200);
    },
  );
});

describe("PUT /api/password", () => {
  once("changes the password and ends every other session", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const other = await signedIn(server);
    const change = (next: string) => client.put("/api/password", { current: OWNER.password, next });
    expect(await (await change("password1234")).json()).toMatchObject({
      status: 400,
      errors: [{ pointer: "/next", code: "guessable" }],
    });
    expect((await change(NEXT)).status).toBe(204);
    expect([await stateOf(client), await stateOf(other)]).toEqual([200, 401]);
    expect((await server.visitor().signIn()).status).toBe(401);
    expect((await server.visitor().signIn(NEXT)).status).toBe(200);
  });

  test("lets one of two changes at once through, and none that began to sign in before", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const guests = [server.visitor(), server.visitor(), server.visitor()];
    for (const guest of guests) await guest.request("/api/token");
    const change = (next: string) => client.put("/api/password", { current: OWNER.password, next });
    const [one, two] = await Promise.all([
      change(`${NEXT} 1`),
      change(`${NEXT} 2`),
      ...guests.map((guest) => guest.post("/api/token", OWNER)),
    ]);
    expect([one?.status, two?.status].toSorted()).toEqual([204, 403]);
    for (const guest of guests) expect(await stateOf(guest)).toBe(401);
  });
});

describe("PUT /api/email", () => {
  once("changes the address to sign in with, and keeps every session", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const other = await signedIn(server);
    const response = await client.put("/api/email", {
      email: " Grace@Example.com",
      password: OWNER.password,
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      state: "signed-in",
      email: "grace@example.com",
      // Who has chosen no name is called by the address.
      name: "grace@example.com",
    });
    expect(await other.json("/api/token")).toMatchObject({ email: "grace@example.com" });
    expect((await server.visitor().signIn()).status).toBe(401);
    const visitor = server.visitor();
    await visitor.request("/api/token");
    const json = { email: "grace@example.com", password: OWNER.password };
    expect((await visitor.post("/api/token", json)).status).toBe(200);
  });

  once("says that an address is somebody else's, which is no failed sign-in", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    await joinAs(server, { email: "bob@example.com" });
    const taken = await client.put("/api/email", {
      email: "bob@example.com",
      password: OWNER.password,
    });
    expect(taken.status).toBe(409);
    expect(JSON.stringify(await client.json("/api/audit"))).not.toContain("sign-in-failed");
  });
});

describe("/api/sessions", () => {
  const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

  once("lists every session, the current one marked, and no secret", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const other = await signedIn(server);
    const response = await other.request("/api/sessions");
    const text = await response.text();
    const { items } = JSON.parse(text);
    expect(items).toHaveLength(2);
    expect(items.filter(({ current }: { current: boolean }) => current)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        device: "Bun",
        address: "127.0.0.1",
        lastSeenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        current: true,
      },
    ]);
    for (const each of [client, other]) {
      expect(text).not.toContain(each.cookies.get("freehold-session") ?? "?");
    }
  });

  once("ends one session by its id, and all others at once", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const other = await signedIn(server);
    const others = [other, await signedIn(server), await signedIn(server)];
    const { items } = await (await other.request("/api/sessions")).json();
    const { id } = items.find(({ current }: { current: boolean }) => current);
    const end = (path: string) => client.delete(path);
    expect((await end(`/api/sessions/${id}`)).status).toBe(204);
    expect((await end(`/api/sessions/${id}`)).status).toBe(404);
    const states = async () => Promise.all([client, ...others].map(stateOf));
    expect(await states()).toEqual([200, 401, 200, 200]);
    expect((await end("/api/sessions")).status).toBe(204);
    expect(await states()).toEqual([200, 401, 401, 401]);
    const audit = parseAuditPage(await client.json("/api/audit"));
    const entries = audit.items.filter(({ action }) => action === "sessions-ended");
    expect(entries.map(({ by, subject }) => [by?.name, subject])).toEqual([
      [OWNER.email, OWNER.email],
      [OWNER.email, OWNER.email],
    ]);
  });

  onSqlite("last 90 days at most, however much they are used", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const start = Date.now();
    for (let day = 20; day < 90; day += 20) {
      setSystemTime(start + day * DAY_MS);
      expect(await client.json("/api/token")).toMatchObject({ state: "signed-in" });
    }
    setSystemTime(start + 89 * DAY_MS);
    expect(await client.json("/api/token")).toMatchObject({ state: "signed-in" });
    setSystemTime(start + 90 * DAY_MS + 1000);
    expect(await stateOf(client)).toBe(401);
  });

  test("note where they are used from at most once an hour", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const seen = async () => (await (await client.request("/api/sessions")).json()).items[0];
    const visit = () => client.request("/api/domains", { headers: { "User-Agent": FIREFOX } });
    const before = await seen();
    await visit();
    expect(await seen()).toEqual(before);
    const earlier = new Date(Date.now() - 61 * 60_000).toISOString();
    await server.write((sql) => sql`update sessions set last_seen_at = ${earlier}`);
    await Promise.all([visit(), visit(), visit()]);
    const after = await seen();
    expect(after.lastSeenAt > before.lastSeenAt).toBe(true);
    expect(after).toMatchObject({ id: before.id, device: "Firefox on Linux" });
  });
});
