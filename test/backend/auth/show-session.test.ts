import { describe, expect, setSystemTime, test } from "bun:test";
import { startBackend } from "../../support/backend-server.ts";
import { onSqlite } from "../../support/both-databases.ts";

const DAY = 24 * 60 * 60 * 1000;

function setCookies(response: Response): Bun.Cookie[] {
  return response.headers.getSetCookie().map((line) => Bun.Cookie.parse(line));
}

describe("GET /api/token", () => {
  test("sets a readable token and a session out of reach of scripts", async () => {
    await using server = await startBackend();
    const response = await server.visitor().request("/api/token");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ state: "set-up" });
    const lines = response.headers.getSetCookie();
    expect(lines).toHaveLength(2);
    const head = await server.visitor().request("/api/token", { method: "HEAD" });
    expect([head.headers.getSetCookie().length, await head.text()]).toEqual([2, ""]);
    expect(lines[0]).toMatch(
      /^freehold-session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
    expect(lines[1]).toMatch(/^XSRF-TOKEN=[\w-]+; Path=\/; Max-Age=\d+; SameSite=Lax$/);
  });

  test("keeps an anonymous session, unless its cookie cannot be one", async () => {
    await using server = await startBackend();
    const client = server.visitor();
    await client.request("/api/token");
    const namesOf = (response: Response) => setCookies(response).map(({ name }) => name);
    expect(namesOf(await client.request("/api/token"))).toEqual(["XSRF-TOKEN"]);
    const headers = { Cookie: "freehold-session=../../x; XSRF-TOKEN=%E0%A4%A" };
    const replaced = await server.visitor().request("/api/token", { headers });
    expect(namesOf(replaced)).toEqual(["freehold-session", "XSRF-TOKEN"]);
  });

  test("marks both cookies Secure and prefixes the session's over https", async () => {
    await using server = await startBackend({ peer: { secure: true } });
    const lines = (await server.visitor().request("/api/token")).headers.getSetCookie();
    expect(lines[0]).toMatch(/^__Host-freehold-session=/);
    for (const line of lines) expect(line).toContain("; Secure");
  });

  test("gives the token the life of a session, not the 24 hours of Bun.CSRF", async () => {
    await using server = await startBackend();
    const client = server.visitor();
    const cookies = setCookies(await client.request("/api/token"));
    const [session, token] = cookies;
    expect(token?.maxAge).toBe(session?.maxAge);
    // Bytes 24 to 32 of a token of Bun.CSRF are the milliseconds that it lives.
    const bytes = Buffer.from(token?.value ?? "", "base64url");
    expect(Number(bytes.readBigUInt64BE(24))).toBe((token?.maxAge ?? 0) * 1000);
  });

  onSqlite("prolongs a session that is visited, and ends one that is not", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    setSystemTime(Date.now() + 20 * DAY);
    const visit = await client.request("/api/token");
    expect(setCookies(visit)[0]?.value).toBe(client.cookies.get("freehold-session"));
    setSystemTime(Date.now() + 20 * DAY);
    expect((await client.request("/api/domains")).status).toBe(200);
    setSystemTime(Date.now() + 18 * DAY);
    expect(await client.json("/api/token")).toMatchObject({ state: "signed-in" });
    setSystemTime(Date.now() + 31 * DAY);
    expect(await client.json("/api/token")).toEqual({ state: "signed-out" });
  });
});

describe("DELETE /api/token", () => {
  test("kills the session and hands out an anonymous one at once", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const old = new Map(client.cookies);
    const response = await client.delete("/api/token");
    expect(response.status).toBe(204);
    expect(client.cookies.get("freehold-session")).not.toBe(old.get("freehold-session"));
    expect((await client.request("/api/domains")).status).toBe(401);
    const Cookie = `freehold-session=${old.get("freehold-session")}`;
    expect((await server.visitor().request("/api/domains", { headers: { Cookie } })).status).toBe(
      401,
    );
    expect((await client.signIn()).status).toBe(200);
  });
});
