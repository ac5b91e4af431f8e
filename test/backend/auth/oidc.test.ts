import { afterAll, beforeAll, describe, expect, spyOn } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import type { BackendOptions } from "../../../src/backend/backend.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { joinAs } from "../../support/people.ts";
import { startBackend, type BackendServer } from "../../support/backend-server.ts";
import { test as both } from "../../support/both-databases.ts";
import { testWith } from "../../support/test-with.ts";

/** What the provider puts into its next token, beside what is right. */
interface Claims extends JWTPayload {
  email?: string;
  email_verified?: boolean | string;
}

const CLIENT = { clientId: "freehold", clientSecret: "hunter2 & co" };

/** A provider on the loopback that anybody may be at, and that may say anything. */
async function startProvider() {
  const [good, evil] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  const flows = new Map<string, { nonce: string; challenge: string; redirectUri: string }>();
  const state = {
    claims: {} as Claims,
    key: good.privateKey,
    isDown: false,
    meanwhile: async (): Promise<unknown> => null,
  };
  let issuer = "";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/.well-known/openid-configuration": () =>
        state.isDown
          ? new Response("down", { status: 500 })
          : Response.json({
              issuer,
              authorization_endpoint: `${issuer}/authorize`,
              token_endpoint: `${issuer}/token`,
              jwks_uri: `${issuer}/keys`,
              id_token_signing_alg_values_supported: ["RS256"],
            }),
      "/keys": async () =>
        Response.json({ keys: [{ ...(await exportJWK(good.publicKey)), kid: "1", use: "sig" }] }),
      "/token": {
        async POST(request) {
          await state.meanwhile();
          const form = new URLSearchParams(await request.text());
          const flow = flows.get(form.get("code") ?? "");
          flows.delete(form.get("code") ?? "");
          const secret = encodeURIComponent(CLIENT.clientSecret).replaceAll("%20", "+");
          const basic = `Basic ${btoa(`${CLIENT.clientId}:${secret}`)}`;
          const verifier = new Bun.CryptoHasher("sha256").update(form.get("code_verifier") ?? "");
          const isRight =
            flow?.challenge === verifier.digest("base64url") &&
            flow.redirectUri === form.get("redirect_uri") &&
            request.headers.get("authorization") === basic;
          if (!isRight) return Response.json({ error: "invalid_grant" }, { status: 400 });
          const now = Math.floor(Date.now() / 1000);
          const claims = { iss: issuer, aud: CLIENT.clientId, iat: now, exp: now + 60, sub: "ada" };
          const token = new SignJWT({ ...claims, nonce: flow.nonce, ...state.claims });
          const signed = token.setProtectedHeader({ alg: "RS256", kid: "1" });
          return Response.json({
            access_token: "secret-access-token",
            token_type: "bearer",
            id_token: await signed.sign(state.key),
          });
        },
      },
    },
  });
  issuer = `http://127.0.0.1:${server.port}`;
  return {
    issuer,
    /** Somebody agrees at the provider; returns where it sends the browser. */
    agree(address: string): string {
      const { searchParams } = new URL(address);
      const read = (name: string) => searchParams.get(name) ?? "";
      expect(read("code_challenge_method")).toBe("S256");
      const code = crypto.randomUUID();
      const redirectUri = read("redirect_uri");
      flows.set(code, { nonce: read("nonce"), challenge: read("code_challenge"), redirectUri });
      return `${redirectUri}?${new URLSearchParams({ code, state: read("state") })}`;
    },
    /** What the next tokens say, and what happens before they are given. */
    say(
      claims: Claims,
      { isForged = false, isDown = false, meanwhile = async (): Promise<unknown> => null } = {},
    ) {
      const key = isForged ? evil.privateKey : good.privateKey;
      Object.assign(state, { claims, key, isDown, meanwhile });
    },
    stop: () => server.stop(true),
  };
}

let provider: Awaited<ReturnType<typeof startProvider>>;
const log = spyOn(console, "error").mockImplementation(() => {});
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(async () => {
  await provider.stop();
  expect(log.mock.calls.join()).not.toMatch(/secret-access-token|hunter2|eyJ/);
  log.mockRestore();
});

/** The owner of a register that has the provider, which says what is right. */
async function start(options: Partial<BackendOptions> = {}) {
  provider.say({});
  const oidc = { issuer: provider.issuer, ...CLIENT };
  const server = await startBackend({ oidc, ...options });
  const end = () => server[Symbol.asyncDispose]();
  return Object.assign(await server.owner(), { server, [Symbol.asyncDispose]: end });
}

const test = testWith(start);

const locationOf = (response: Response) => response.headers.get("location") ?? "";

/** Follows the way through the provider; returns where it ends. */
async function signIn(client: ApiClient): Promise<string> {
  const begun = await client.request("/api/oidc/start");
  expect(begun.status).toBe(303);
  return locationOf(await client.request(provider.agree(locationOf(begun))));
}

const stateOf = async (client: ApiClient) => Object(await client.json("/api/token")).state;

/** Links the account at the provider that its next token names. */
const link = async (client: ApiClient) => locationOf(await answerLink(client));

async function answerLink(client: ApiClient): Promise<Response> {
  const { url } = await (await client.post("/api/oidc/link")).json();
  return client.request(provider.agree(url));
}

async function invite(server: BackendServer, email: string, limit: object | null = null) {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const row = { id: Bun.randomUUIDv7(), kind: "invitation", code_hash: crypto.randomUUID() };
  const times = { created_at: at(0), expires_at: at(60_000) };
  const limited_to = limit && JSON.stringify(limit);
  const all = { ...row, ...times, email, role: "viewer", limited_to, made_by_name: "Ada" };
  await server.write((sql) => sql`insert into invitations ${sql(all)}`);
}

describe("sign-in through a provider", () => {
  test("signs in who has linked their account there, by its id and not its address", async (owner) => {
    const { server } = owner;
    const stranger = server.visitor();
    expect(await signIn(stranger)).toBe("/home#sign-in=unknown");
    expect(await stateOf(stranger)).toBe("signed-out");
    expect(await link(owner)).toBe("/settings/security");
    expect(await owner.json("/api/factors")).toMatchObject({ linked: true });

    const visitor = server.visitor();
    await visitor.request("/api/token");
    const before = visitor.cookies.get("freehold-session");
    expect(await signIn(visitor)).toBe("/home");
    expect(await stateOf(visitor)).toBe("signed-in");
    expect(visitor.cookies.get("freehold-session")).not.toBe(before);
    expect(JSON.stringify(await owner.json("/api/audit"))).toContain("identity-linked");

    provider.say({ sub: "eve", email: "ada@example.com", email_verified: true });
    const eve = server.visitor();
    expect(await signIn(eve)).toBe("/home#sign-in=unknown");
    expect(await stateOf(eve)).toBe("signed-out");

    provider.say({ email: "Ada at home", email_verified: true });
    expect(await signIn(server.visitor())).toBe("/home");
    await server.write((sql) => sql`update users set disabled = 1`);
    expect(await signIn(server.visitor())).toBe("/home#sign-in=disabled");
  });

  test("believes nothing that does not hold", async (owner) => {
    const { server } = owner;
    await link(owner);
    const past = Math.floor(Date.now() / 1000) - 3600;
    for (const claims of [
      { iss: "https://other.example" },
      { aud: "another" },
      { nonce: "another" },
      { exp: past, iat: past - 60 },
    ]) {
      provider.say(claims);
      const visitor = server.visitor();
      expect([claims, await signIn(visitor)]).toEqual([claims, "/home#sign-in=refused"]);
      expect(await stateOf(visitor)).toBe("signed-out");
    }
    provider.say({}, { isForged: true });
    expect(await signIn(server.visitor())).toBe("/home#sign-in=refused");
    expect(JSON.stringify(await owner.json("/api/audit")).match(/sign-in-failed/g)).toHaveLength(5);
  });

  test("is of one browser, once", async (owner) => {
    const { server } = owner;
    await link(owner);
    const [visitor, other] = [server.visitor(), server.visitor()];
    const begun = await visitor.request("/api/oidc/start");
    await other.request("/api/token");
    const back = provider.agree(locationOf(begun));
    expect(locationOf(await other.request(back))).toBe("/home#sign-in=expired");
    const many = Array.from({ length: 10 }, () => visitor.request(back));
    const ends = (await Promise.all(many)).map(locationOf).toSorted();
    expect(ends).toEqual(["/home", ...Array<string>(9).fill("/home#sign-in=expired")]);

    const next = server.visitor();
    const address = locationOf(await next.request("/api/oidc/start"));
    const forged = provider.agree(address).replace(/state=[^&]+/, "state=another");
    expect(locationOf(await next.request(forged))).toBe("/home#sign-in=refused");
    const refused = `/api/oidc/callback?error=access_denied&state=x`;
    expect(locationOf(await next.request(refused))).toBe("/home#sign-in=expired");
  });

  both("accepts the invitation of an address that the provider has verified", async () => {
    // Whether it is open says the clock of the database.
    await using owner = await start({ clock: () => new Date(Date.now() + 60 * 60_000) });
    const { server } = owner;
    await invite(server, "kate@example.com", { owners: ["Acme"] });
    for (const claims of [
      { email: "kate@example.com", email_verified: false },
      { email: "kate@example.com", email_verified: "true" },
      // Only folding makes it the same.
      { email: "\u212aate@example.com", email_verified: true },
    ]) {
      provider.say({ sub: "kate", ...claims });
      expect(await signIn(server.visitor())).toBe("/home#sign-in=unknown");
    }
    provider.say({ sub: "kate", email: "Kate@Example.com", email_verified: true });
    const kate = server.visitor();
    expect(await signIn(kate)).toBe("/home");
    const joining = { state: "signed-in", email: "kate@example.com", role: "limited" };
    expect(await kate.json("/api/token")).toMatchObject(joining);
    const audit = JSON.stringify(await owner.json("/api/audit"));
    expect(audit).toContain(`"detail":"viewer of Acme by ${provider.issuer}"`);
    // Used up: another account at the provider with the same address gets nothing.
    provider.say({ sub: "kate-2", email: "kate@example.com", email_verified: true });
    expect(await signIn(server.visitor())).toBe("/home#sign-in=unknown");
    expect((await kate.delete("/api/oidc/link")).status).toBe(409);
  });

  test("links an account to one person, and to none who is demoted meanwhile", async (owner) => {
    const { server } = owner;
    const become = (role: string) => server.write((sql) => sql`update users set role = ${role}`);
    provider.say({}, { meanwhile: () => become("viewer") });
    expect((await answerLink(owner)).status).toBe(403);
    const identities = await server.read((sql) => sql<unknown[]>`select * from identities`);
    expect([...identities]).toEqual([]);
    await become("owner");
    provider.say({});
    await link(owner);
    expect(await link(owner)).toBe("/settings/security");
    await invite(server, "eve@example.com");
    provider.say({ sub: "eve", email: "eve@example.com", email_verified: true });
    const eve = server.visitor();
    await signIn(eve);
    provider.say({});
    expect(await link(eve)).toBe("/settings/security#sign-in=taken");
    expect((await owner.delete("/api/oidc/link")).status).toBe(204);
    expect(await owner.json("/api/factors")).toMatchObject({ linked: false });
  });

  test("is kept, as a passkey is, where nothing else signs in", async () => {
    const publicUrl = "https://names.example";
    await using owner = await start({ reminders: { publicUrl } });
    const { server } = owner;
    const { url } = await (await owner.post("/api/oidc/link")).json();
    const { search } = new URL(provider.agree(url));
    await owner.request(`/api/oidc/callback${search}`);
    const id = Bun.randomUUIDv7();
    const person = Object(await owner.json("/api/token")).id;
    await server.write(async (sql) => {
      await sql`update users set password = null`;
      const key = { credential_id: "x", public_key: "x", counter: 0, name: "x", created_at: "" };
      await sql`insert into passkeys ${sql({ id, user_id: person, ...key })}`;
    });
    const remove = async (path: string) => (await owner.delete(path)).status;
    expect(await remove("/api/oidc/link")).toBe(204);
    expect(await remove(`/api/passkeys/${id}`)).toBe(409);
    expect(await remove(`/api/people/${person}/factors`)).toBe(409);
    expect(await owner.json("/api/passkeys")).toMatchObject({ items: [{ id }] });
  });

  test("takes the place of passwords once an owner has signed in so, at this provider alone", async (owner) => {
    const { server } = owner;
    const change = (passwords: boolean) => owner.put("/api/sign-in", { passwords });
    expect((await change(false)).status).toBe(409);
    await link(owner);
    expect((await change(false)).status).toBe(409);
    await signIn(server.visitor());
    expect((await change(false)).status).toBe(204);
    const visitor = server.visitor();
    expect(await visitor.json("/api/token")).toEqual({ state: "signed-out", signIn: ["oidc"] });
    expect((await visitor.signIn()).status).toBe(403);
    const oidc = { issuer: "https://other.example", ...CLIENT };
    await using other = await startBackend({ databaseUrl: server.databaseUrl, oidc });
    expect((await other.visitor().signIn()).status).toBe(200);
    expect((await server.visitor().signIn()).status).toBe(403);
    expect(await signIn(visitor)).toBe("/home");
    expect((await owner.delete("/api/oidc/link")).status).toBe(409);
    expect((await change(true)).status).toBe(204);
    expect((await server.visitor().signIn()).status).toBe(200);
  });

  test("keeps an owner who can sign in, where passwords are off", async (ada) => {
    const { server } = ada;
    const bob = await joinAs(server, { email: "bob@example.com", role: "owner" });
    await link(ada);
    await signIn(server.visitor());
    expect((await ada.put("/api/sign-in", { passwords: false })).status).toBe(204);
    const path = `/api/people/${Object(await ada.json("/api/token")).id}`;
    for (const refused of [
      await bob.client.patch(path, { role: "editor" }),
      await bob.client.patch(path, { disabled: true }),
      await bob.client.delete(path),
    ]) {
      expect(refused.status).toBe(409);
    }
    provider.say({ sub: "bob" });
    await link(bob.client);
    expect((await bob.client.patch(path, { role: "editor" })).status).toBe(200);
  });

  test("says so where the provider is away, and where there is none", async (owner) => {
    const { server } = owner;
    provider.say({}, { isDown: true });
    const begun = await server.visitor().request("/api/oidc/start");
    expect(locationOf(begun)).toBe("/home#sign-in=unavailable");
    expect((await owner.post("/api/oidc/link")).status).toBe(503);
    provider.say({});
    expect(await link(owner)).toBe("/settings/security");
    await using plain = await startBackend();
    expect((await plain.visitor().request("/api/oidc/start")).status).toBe(404);
    expect((await plain.visitor().request("/api/oidc/callback")).status).toBe(404);
  });
});
