import { describe, expect, setSystemTime } from "bun:test";
import { OWNER, type ApiClient } from "../../support/api-client.ts";
import type { BackendServer } from "../../support/backend-server.ts";
import { joinAs, signInAs } from "../../support/people.ts";
import { onSqlite, once, test } from "../../support/owner-test.ts";

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

once("a wrong password of who is signed in is 403, and a failed sign-in", async (client) => {
  const { server } = client;
  for (const [method, path, field, rest] of [
    ["POST", "/api/token/prove", "password", {}],
    ["PUT", "/api/password", "current", { next: NEXT }],
    ["PUT", "/api/email", "password", { email: "eve@example.com" }],
  ] as const) {
    const ask = (password: string) =>
      client.request(path, { method, json: { ...rest, [field]: password } });
    const wrong = await (await ask("not the password")).json();
    const refusal = { status: 403, errors: [{ pointer: `/${field}` }] };
    expect([path, wrong]).toMatchObject([path, refusal]);
    for (let attempt = 0; attempt < 8; attempt += 1) await ask("wrong");
    for (const password of ["wrong", OWNER.password]) {
      expect([path, (await ask(password)).status]).toEqual([path, 429]);
    }
    expect((await server.visitor().signIn()).status).toBe(429);
    expect(await client.json("/api/token")).toMatchObject({ email: OWNER.email });
    await server.write((sql) => sql`delete from failed_sign_ins`);
    expect((await server.visitor().signIn()).status).toBe(200);
  }
});

describe("PUT /api/password", () => {
  once("changes the password and ends every other session", async (client) => {
    const { server } = client;
    const other = await signedIn(server);
    const change = (next: string) => client.put("/api/password", { current: OWNER.password, next });
    const errors = [{ pointer: "/next", code: "guessable" }];
    expect(await (await change("password1234")).json()).toMatchObject({ status: 400, errors });
    expect((await change(NEXT)).status).toBe(204);
    expect([await stateOf(client), await stateOf(other)]).toEqual([200, 401]);
    expect((await server.visitor().signIn()).status).toBe(401);
    expect((await server.visitor().signIn(NEXT)).status).toBe(200);
  });

  test("lets one of two changes at once through, and none that began to sign in before", async (client) => {
    const { server } = client;
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

once("PUT /api/email changes the address to a free one, and ends no session", async (client) => {
  const { server } = client;
  const other = await signedIn(server);
  await joinAs(server, { email: "bob@example.com" });
  const put = (email: string) => client.put("/api/email", { email, password: OWNER.password });
  expect((await put("bob@example.com")).status).toBe(409);
  expect(JSON.stringify(await client.json("/api/audit"))).not.toContain("sign-in-failed");
  const response = await put(" Grace@Example.com");
  expect(response.status).toBe(200);
  const email = "grace@example.com";
  // Who has chosen no name is called by the address.
  expect(await response.json()).toMatchObject({ state: "signed-in", email, name: email });
  expect(await other.json("/api/token")).toMatchObject({ email });
  expect((await server.visitor().signIn()).status).toBe(401);
  expect(await stateOf(await signInAs(server.url, email))).toBe(200);
});

describe("/api/sessions", () => {
  once(
    "lists every session without a secret, and ends one by its id, or all others at once",
    async (client) => {
      const { server } = client;
      const other = await signedIn(server);
      const others = [other, await signedIn(server), await signedIn(server)];
      const text = await (await other.request("/api/sessions")).text();
      const { items } = JSON.parse(text);
      expect(items).toHaveLength(4);
      const current = items.filter((each: { current: boolean }) => each.current);
      expect(current).toMatchObject([{ device: "Bun", address: "127.0.0.1" }]);
      for (const each of [client, ...others]) {
        expect(text).not.toContain(each.cookies.get("freehold-session") ?? "?");
      }
      for (const status of [204, 404]) {
        expect((await client.delete(`/api/sessions/${current[0].id}`)).status).toBe(status);
      }
      const states = async () => Promise.all([client, ...others].map(stateOf));
      expect(await states()).toEqual([200, 401, 200, 200]);
      expect((await client.delete("/api/sessions")).status).toBe(204);
      expect(await states()).toEqual([200, 401, 401, 401]);
      const ended = { action: "sessions-ended", by: { name: OWNER.email }, subject: OWNER.email };
      expect(await client.json("/api/audit?limit=2")).toMatchObject({ items: [ended, ended] });
    },
  );

  onSqlite("last 90 days at most, and 30 without use", async (client) => {
    const idle = await signedIn(client.server);
    const start = Date.now();
    const states: unknown[] = [];
    for (const day of [20, 31, 60, 80, 89]) {
      setSystemTime(start + day * DAY_MS);
      const visit = await client.request("/api/token");
      expect(await visit.json()).toMatchObject({ state: "signed-in" });
      expect(visit.headers.getSetCookie()[0]).toContain(client.cookies.get("freehold-session"));
      if (day > 30) states.push(await stateOf(idle));
    }
    expect(states).toEqual([401, 401, 401, 401]);
    setSystemTime(start + 90 * DAY_MS + 1000);
    expect(await stateOf(client)).toBe(401);
  });

  test("note where they are used from at most once an hour", async (client) => {
    const seen = async () => (await (await client.request("/api/sessions")).json()).items[0];
    const headers = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0" };
    const visit = () => client.request("/api/domains", { headers });
    const before = await seen();
    await visit();
    expect(await seen()).toEqual(before);
    const earlier = new Date(Date.now() - 61 * 60_000).toISOString();
    await client.server.write((sql) => sql`update sessions set last_seen_at = ${earlier}`);
    await Promise.all([visit(), visit(), visit()]);
    const after = await seen();
    expect(after.lastSeenAt > before.lastSeenAt).toBe(true);
    expect(after).toMatchObject({ id: before.id, device: "Firefox on Linux" });
  });
});
