import { describe, expect, setSystemTime, spyOn } from "bun:test";
import { DAY_MS } from "../../../src/shared/day.ts";
import { parseDomainDetail } from "../../../src/shared/domain-detail.ts";
import { parseSavedDomain } from "../../../src/shared/domain.ts";
import { parseSessions } from "../../../src/shared/session.ts";
import { parseApiTokens, parseCreatedToken } from "../../../src/shared/tokens.ts";
import { OWNER, type ApiClient, type ApiRequest } from "../../support/api-client.ts";
import { type BackendServer, startBackend } from "../../support/backend-server.ts";
import { previewOf } from "../../support/import-client.ts";
import { joinAs } from "../../support/people.ts";
import { onSqlite, once, test } from "../../support/owner-test.ts";

const NEW = { name: "Nightly export", scope: "write" } as const;

async function create(client: ApiClient, json: object = NEW) {
  const response = await client.post("/api/tokens", json);
  expect(response.status).toBe(201);
  return parseCreatedToken(await response.json());
}

const list = async (client: ApiClient) => parseApiTokens(await client.json("/api/tokens")).items;

function call(
  server: BackendServer,
  token: string,
  path = "/api/domains",
  options: ApiRequest = {},
) {
  const headers = { Authorization: `Bearer ${token}`, ...options.headers };
  return server.visitor().request(path, { ...options, headers });
}

async function statusOf(...given: Parameters<typeof call>): Promise<number> {
  return (await call(...given)).status;
}

const ADD = { method: "POST", json: { name: "example.com" } };

describe("API tokens", () => {
  once("are shown once, and stored as their SHA-256", async (client) => {
    const { token, ...created } = await create(client);
    expect(token).toMatch(/^fh_[\w-]{43}[0-9A-Za-z]{6}$/);
    expect(created).toMatchObject({ ...NEW, lastUsedAt: null });
    const lifetime = Date.parse(created.expiresAt) - Date.parse(created.createdAt);
    expect(lifetime).toBe(365 * DAY_MS);
    expect(await client.json("/api/tokens")).toEqual({ items: [created] });
    const [row] = await client.server.read((sql) => sql`select * from api_tokens`);
    expect(row.hash).toBe(new Bun.CryptoHasher("sha256").update(token).digest("hex"));
    expect(JSON.stringify(row)).not.toContain(token.slice(3, 46));
    const noted = { action: "token-added", by: { name: OWNER.email }, subject: NEW.name };
    expect(await client.json("/api/audit?limit=1")).toMatchObject({ items: [noted] });
  });

  once(
    "call the API without cookie and XSRF token, get no session, and stand in the history",
    async (owner) => {
      const { server } = owner;
      const { token } = await create(owner);
      const added = await call(server, token, "/api/domains", ADD);
      expect([added.status, added.headers.getSetCookie()]).toEqual([201, []]);
      const { id } = parseSavedDomain(await added.json());
      const history = await call(server, token, `/api/domains/${id}/history`);
      const by = `${OWNER.email} (${NEW.name})`;
      const items = [{ action: "added", by }];
      expect(await history.json()).toMatchObject({ items });
      const preview = await previewOf(owner, "domain\nimported.example\n");
      const headers = { "Idempotency-Key": crypto.randomUUID() };
      await call(server, token, `/api/imports/${preview.id}/commit`, { method: "POST", headers });
      const imported = parseDomainDetail(await owner.json("/api/domains/imported.example"));
      expect(await owner.json(`/api/domains/${imported.id}/history`)).toMatchObject({ items });
      const who = await call(server, token, "/api/token", { headers: { Cookie: "theme=dark" } });
      expect(who.headers.getSetCookie()).toEqual([]);
      expect(await who.json()).toMatchObject({ state: "signed-in", email: OWNER.email });
      const lower = { headers: { Authorization: `bearer  ${token}` } };
      expect(await statusOf(server, "", "/api/domains", lower)).toBe(200);
      const basic = { headers: { Authorization: "Basic YTpi" } };
      expect(await statusOf(server, "", "/api/domains", basic)).toBe(401);
      const foreign = { ...ADD, headers: { Origin: "https://evil.example" } };
      expect(await statusOf(server, token, "/api/domains", foreign)).toBe(403);
      // Good or bad, it might be that of another person.
      for (const cookie of [owner.cookies.get("freehold-session"), "x"]) {
        const both = { headers: { Cookie: `freehold-session=${cookie}` } };
        expect(await statusOf(server, token, "/api/domains", both)).toBe(400);
      }
    },
  );

  once("are in no log, nor is their hash", async (owner) => {
    const { token } = await create(owner);
    const [{ hash }] = await owner.server.read((sql) => sql`select hash from api_tokens`);
    await owner.server.write((sql) => sql`alter table api_tokens rename to hidden_tokens`);
    using log = spyOn(console, "error").mockImplementation(() => undefined);
    expect(await statusOf(owner.server, token)).toBe(500);
    const written = Bun.inspect(log.mock.calls, { depth: 10 });
    expect(written).toContain("GET /api/domains failed");
    for (const secret of [token, hash]) expect(written).not.toContain(secret);
  });

  once("read or write, and never more than their person may now", async (client) => {
    const { server } = client;
    const { token } = await create(client);
    const reading = await create(client, { ...NEW, scope: "read" });
    expect(await statusOf(server, reading.token, "/api/domains", { method: "HEAD" })).toBe(200);
    const write = () => statusOf(server, token, "/api/domains", { method: "POST", json: {} });
    expect(await write()).toBe(400);
    await server.write((sql) => sql`update users set role = 'viewer'`);
    expect(await write()).toBe(403);
    expect((await client.post("/api/tokens", NEW)).status).toBe(403);
    expect((await client.post("/api/tokens", { ...NEW, scope: "read" })).status).toBe(201);
  });

  once("end when they are revoked, expire, or their person is deleted", async (client) => {
    const { server } = client;
    const tokens = [await create(client), await create(client), await create(client)] as const;
    const status = ({ token }: { token: string }) => statusOf(server, token);
    const [revoked, expired] = tokens;
    const remove = () => client.delete(`/api/tokens/${revoked.id}`);
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
    const past = new Date(Date.now() - 1000).toISOString();
    await server.write(
      (sql) => sql`update api_tokens set expires_at = ${past} where id = ${expired.id}`,
    );
    expect(await Promise.all(tokens.map(status))).toEqual([401, 401, 200]);
    expect(await list(client)).toHaveLength(2);
    const refused = await call(server, revoked.token);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    await server.write((sql) => sql`delete from users`);
    expect(await Promise.all(tokens.map(status))).toEqual([401, 401, 401]);
  });

  once("that are not good lock out others like them, not good ones nor people", async () => {
    const peer = { address: "192.0.2.1" };
    await using server = await startBackend({ peer });
    const client = await server.owner();
    const { token } = await create(client);
    const bad = [
      `${token.slice(0, -1)}${token.at(-1) === "0" ? "1" : "0"}`,
      `fh_${"x".repeat(49)}`,
      token.slice(0, -1),
      token.toUpperCase(),
      "",
      "eyJhbGciOiJIUzI1NiJ9.e30.x",
    ];
    const status = (given: string) => statusOf(server, given);
    for (const given of bad) expect(await status(given)).toBe(401);
    expect(await statusOf(server, "", "/api/token")).toBe(401);
    expect(await status(token)).toBe(200);
    expect((await client.signIn()).status).toBe(200);
    const rest = await Promise.all(Array.from({ length: 8 }, () => status("fh_wrong")));
    expect(rest.toSorted()).toEqual([401, 401, 429, 429, 429, 429, 429, 429]);
    const locked = await call(server, "fh_wrong");
    expect([locked.status, Number(locked.headers.get("retry-after")) > 840]).toEqual([429, true]);
    expect(await status(token)).toBe(200);
    expect((await server.visitor().signIn()).status).toBe(200);
    const proof = { password: OWNER.password };
    expect((await client.post("/api/token/prove", proof)).status).toBe(204);
    peer.address = "192.0.2.2";
    expect(await status("fh_wrong")).toBe(401);
  });

  test("note their use at most once an hour", async (client) => {
    const { token } = await create(client);
    const use = () => call(client.server, token, "/api/domains?limit=1");
    const usedAt = async () => (await list(client))[0]?.lastUsedAt ?? "";
    await Promise.all(Array.from({ length: 20 }, use));
    const first = await usedAt();
    expect(first).toMatch(/^\d{4}-/);
    const useBefore = async (minutes: number) => {
      const at = new Date(Date.parse(first) - minutes * 60_000).toISOString();
      await client.server.write((sql) => sql`update api_tokens set last_used_at = ${at}`);
      await use();
      return at;
    };
    const young = await useBefore(59);
    expect(await usedAt()).toBe(young);
    await useBefore(61);
    expect((await usedAt()) >= first).toBe(true);
  });

  once("are of their person alone, as are sessions", async (client) => {
    const { id, token } = await create(client);
    const other = await joinAs(client.server, { email: "grace@example.com", role: "owner" });
    expect(await list(other.client)).toEqual([]);
    const { items } = parseSessions(await client.json("/api/sessions"));
    expect(items).toHaveLength(1);
    for (const path of [`/api/tokens/${id}`, `/api/sessions/${items[0]?.id}`]) {
      expect((await other.client.delete(path)).status).toBe(404);
    }
    await other.client.delete("/api/sessions");
    expect((await client.request("/api/domains")).status).toBe(200);
    expect(await statusOf(client.server, token)).toBe(200);
  });

  once("have an end within ten years", async (client) => {
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    // What is refused does not wait for other writers.
    await client.server.write(async () => {
      for (const expiresAt of [inDays(-1), inDays(3651), "2027-01-01", "2028-02-30T00:00:00Z"]) {
        const answer = await client.post("/api/tokens", { ...NEW, expiresAt });
        const errors = [{ pointer: "/expiresAt" }];
        expect(await answer.json()).toMatchObject({ status: 400, errors });
      }
    });
    expect(await list(client)).toEqual([]);
    const { expiresAt } = await create(client, { ...NEW, expiresAt: "2030-01-01T02:00:00+02:00" });
    expect(expiresAt).toBe("2030-01-01T00:00:00.000Z");
  });

  test("are at most a hundred of one person, also when several are asked for at once", async (client) => {
    const { id } = await create(client);
    await client.server.write(async (sql) => {
      const [row] = await sql`select * from api_tokens`;
      for (let at = 0; at < 96; at += 1) {
        await sql`insert into api_tokens ${sql({ ...row, id: `${at}`, hash: `${at}` })}`;
      }
    });
    const asked = Array.from({ length: 8 }, () => client.post("/api/tokens", NEW));
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    await client.delete(`/api/tokens/${id}`);
    expect((await client.post("/api/tokens", NEW)).status).toBe(201);
  });

  onSqlite("are made and revoked only soon after a proof", async (client) => {
    const { id } = await create(client);
    const start = Date.now();
    setSystemTime(start + 16 * 60_000);
    for (const answer of [
      await client.delete(`/api/tokens/${id}`),
      await client.post("/api/tokens", NEW),
      await client.post("/api/tokens", {}),
    ]) {
      expect(await answer.json()).toMatchObject({ status: 403, proof: true });
    }
    await client.post("/api/token/prove", { password: OWNER.password });
    expect((await client.post("/api/tokens", NEW)).status).toBe(201);
    setSystemTime(start + 32 * 60_000);
    expect((await client.post("/api/tokens", NEW)).status).toBe(403);
    expect((await client.signIn()).status).toBe(200);
    expect((await client.post("/api/tokens", NEW)).status).toBe(201);
  });
});
