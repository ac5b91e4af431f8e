import { describe, expect } from "bun:test";
import { saveChallenge } from "../../../src/backend/auth/factors/challenges.ts";
import { OWNER, type ApiClient } from "../../support/api-client.ts";
import { SET_UP_CODE, startBackend } from "../../support/backend-server.ts";
import { once, test } from "../../support/owner-test.ts";

const WRONG = "not the password";

function setCookies(response: Response): Bun.Cookie[] {
  return response.headers.getSetCookie().map((line) => Bun.Cookie.parse(line));
}

/** What somebody with the cookie of a session is answered. */
async function statusWith(visitor: ApiClient, session: string | undefined): Promise<number> {
  const headers = { Cookie: `freehold-session=${session}` };
  return (await visitor.request("/api/domains", { headers })).status;
}

/** The answer to a sign-in of the owner. */
const SIGNED_IN = {
  state: "signed-in",
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  email: OWNER.email,
  name: OWNER.email,
  role: "owner",
};

describe("POST /api/token", () => {
  test("lets one of many win who set up at once, and none later", async () => {
    await using server = await startBackend();
    const setUp = async () => (await server.visitor().setUp(SET_UP_CODE)).status;
    const statuses = await Promise.all([1, 2, 3, 4].map(setUp));
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409]);
    expect(await setUp()).toBe(409);
  });

  once("takes no set-up code for a random one, in any case and without hyphens", async () => {
    await using server = await startBackend({ setupCode: "" });
    const code = server.backend.setUpCode ?? "";
    expect(code).toMatch(/^(?:[2-9A-HJKMNP-TV-Z]{4}-){3}[2-9A-HJKMNP-TV-Z]{4}$/);
    const typed = ` ${code.toLowerCase().replaceAll("-", " ")}`;
    expect((await server.visitor().setUp("")).status).toBe(403);
    expect((await server.visitor().setUp(typed)).status).toBe(201);
  });

  once(
    "changes the session, whatever the case of the address, and never says which are known",
    async ({ server }) => {
      const client = server.visitor();
      await client.request("/api/token");
      const before = client.cookies.get("freehold-session");
      const json = { email: " ADA@Example.com ", password: OWNER.password };
      const response = await client.post("/api/token", json);
      expect([response.status, await response.json()]).toEqual([200, SIGNED_IN]);
      expect(client.cookies.get("freehold-session")).not.toBe(before);
      // The new cookies came with the answer.
      expect((await client.post("/api/domains", { name: "example.com" })).status).toBe(201);
      expect(await statusWith(server.visitor(), before)).toBe(401);
      // This browser has one session, beside that of the set-up.
      await client.signIn();
      expect(await client.json("/api/sessions")).toHaveProperty("items.length", 2);
      const wrong = await server.visitor().signIn(WRONG);
      const unknown = await client.post("/api/token", {
        email: "eve@example.com",
        password: WRONG,
      });
      expect([wrong.status, unknown.status]).toEqual([401, 401]);
      expect(await wrong.json()).toEqual(await unknown.json());
    },
  );

  const BAD: [object, string[]][] = [
    [{}, ["/email", "/password"]],
    [{ email: 1, password: ["s3cret"] }, ["/email", "/password"]],
    [{ email: "a@b", password: 5311 }, ["/password"]],
    [{ email: "ada", password: "x" }, ["/email"]],
    [{ email: `${"a".repeat(250)}@b.example`, password: "x" }, ["/email"]],
    [{ email: "a@b", password: "x", admin: true }, ["/admin"]],
    [{ email: "a@b", password: "eleven char", setUpCode: SET_UP_CODE }, ["/password"]],
    [{ email: "a@b", password: "twelve chars", setUpCode: 7 }, ["/setUpCode"]],
  ];
  once(
    "creates the owner by the set-up code, names every bad field, and repeats no secret",
    async () => {
      await using server = await startBackend();
      expect(server.backend.setUpCode).toBe(SET_UP_CODE);
      const client = server.visitor();
      expect((await client.setUp("let me in!")).status).toBe(403);
      expect(await client.json("/api/token")).toEqual({ state: "set-up" });
      // A password that anybody would try.
      const json = { ...OWNER, password: "password1234", setUpCode: SET_UP_CODE };
      const guessed = await (await client.post("/api/token", json)).json();
      const guessable = { pointer: "/password", code: "guessable" };
      expect(guessed).toMatchObject({ status: 400, errors: [guessable] });
      expect(guessed.errors[0].detail).toContain("Add 6 characters");
      for (const [body, pointers] of BAD) {
        const response = await client.post("/api/token", body);
        expect([body, response.status]).toEqual([body, 400]);
        const text = await response.text();
        expect(text).not.toMatch(/s3cret|5311/);
        const { errors } = JSON.parse(text);
        const named = errors.map(({ pointer }: { pointer: string }) => pointer);
        expect(named.toSorted()).toEqual(pointers);
      }
      const made = await client.setUp(SET_UP_CODE);
      expect([made.status, await made.json()]).toEqual([201, SIGNED_IN]);
      expect((await client.request("/api/domains")).status).toBe(200);
    },
  );
});

describe("GET /api/token", () => {
  once("sets a readable token and a session that no script reads, of one life", async () => {
    await using server = await startBackend();
    const client = server.visitor();
    const response = await client.request("/api/token");
    expect(await response.json()).toEqual({ state: "set-up" });
    const lines = response.headers.getSetCookie();
    const head = await server.visitor().request("/api/token", { method: "HEAD" });
    expect([head.headers.getSetCookie().length, await head.text()]).toEqual([2, ""]);
    const session = /^freehold-session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/;
    expect(lines[0]).toMatch(session);
    expect(lines[1]).toMatch(/^XSRF-TOKEN=[\w-]+; Path=\/; Max-Age=\d+; SameSite=Lax$/);
    const [{ maxAge } = { maxAge: 0 }, token] = setCookies(response);
    expect(token?.maxAge).toBe(maxAge);
    // Bytes 24 to 32 of a token of Bun.CSRF are the milliseconds that it lives, not 24 hours.
    const bytes = Buffer.from(token?.value ?? "", "base64url");
    expect(Number(bytes.readBigUInt64BE(24))).toBe((maxAge ?? 0) * 1000);
    // An anonymous session stays, unless its cookie cannot be one.
    const namesOf = (answer: Response) => setCookies(answer).map(({ name }) => name);
    expect(namesOf(await client.request("/api/token"))).toEqual(["XSRF-TOKEN"]);
    const headers = { Cookie: "freehold-session=../../x; XSRF-TOKEN=%E0%A4%A" };
    const replaced = await server.visitor().request("/api/token", { headers });
    expect(namesOf(replaced)).toEqual(["freehold-session", "XSRF-TOKEN"]);
  });

  once("marks both cookies Secure and prefixes the session's over https", async () => {
    await using server = await startBackend({ peer: { secure: true } });
    const lines = (await server.visitor().request("/api/token")).headers.getSetCookie();
    expect(lines[0]).toMatch(/^__Host-freehold-session=/);
    for (const line of lines) expect(line).toContain("; Secure");
  });
});

describe("passkeys", () => {
  once("are 20 of a person at most, and 100 unfinished sign-ins of an address", async () => {
    const peer = { address: "192.0.2.1" };
    const reminders = { publicUrl: "https://names.example" };
    await using server = await startBackend({ peer, reminders });
    const visitor = server.visitor();
    await visitor.request("/api/token");
    const begin = async () => (await visitor.post("/api/passkeys/sign-in")).status;
    const begun = { userId: null, value: "", ...peer };
    await server.write(async (sql) => {
      for (let at = 0; at < 100; at += 1)
        await saveChallenge(sql, "oidc", { ...begun, sessionId: `${at}` });
    });
    expect(await begin()).toBe(429);
    peer.address = "192.0.2.2";
    expect(await begin()).toBe(200);
    const owner = await server.owner();
    const user_id = Object(await owner.json("/api/token")).id;
    await server.write(async (sql) => {
      const key = { user_id, public_key: "x", counter: 0, name: "x", created_at: "" };
      for (let at = 0; at < 20; at += 1)
        await sql`insert into passkeys ${sql({ ...key, id: `${at}`, credential_id: `${at}` })}`;
    });
    expect((await owner.post("/api/passkeys")).status).toBe(409);
  });
});

once("DELETE /api/token kills the session, and hands out an anonymous one", async (client) => {
  const before = client.cookies.get("freehold-session");
  expect((await client.delete("/api/token")).status).toBe(204);
  expect(client.cookies.get("freehold-session")).not.toBe(before);
  expect((await client.request("/api/domains")).status).toBe(401);
  expect(await statusWith(client.server.visitor(), before)).toBe(401);
  expect((await client.signIn()).status).toBe(200);
});
