import { describe, expect, spyOn, test } from "bun:test";
import { createApiHandler } from "../../../src/server/api-handler.ts";
import { OpenConnections } from "../../../src/server/open-connections.ts";
import { tunnelHandler } from "../../../src/server/websockets/handshake.ts";
import { createApiClient, OWNER } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";

const CONFIG = { authHeader: "remote-email", basePath: "", tls: null, trustProxy: true };
const OPTIONS = {
  timeouts: { idle: 20, response: 20, upload: 255 },
  openConnections: new OpenConnections(),
  allowsHost: null,
};

interface Proxied {
  authCreate?: "viewer";
  trustedProxies?: string[];
}

/** What a backend behind `BACKEND_URL` would see of the header, from an address that may not send it. */
async function forwarded(): Promise<unknown> {
  const handle = createApiHandler({
    ...OPTIONS,
    config: { ...CONFIG, trustedProxies: ["192.0.2.0/24"] },
    api: {
      fetch: async ({ headers }) => Response.json(headers.get("remote-email")),
      ready: async () => true,
      close: async () => {},
    },
  });
  const options = { port: 0, hostname: "127.0.0.1", fetch: handle, websocket: tunnelHandler };
  await using server = Bun.serve(options);
  const headers = { "Remote-Email": OWNER.email };
  return (await fetch(new URL("/api/x", server.url), { headers })).json();
}

/** The server's own handler before a backend with an owner, as `AUTH_HEADER=Remote-Email` makes it. */
async function startBehindProxy({ authCreate, trustedProxies = ["127.0.0.0/8"] }: Proxied = {}) {
  const backend = await startBackend({ ...(authCreate && { authCreate }) });
  const owner = await backend.owner();
  const handle = createApiHandler({
    api: backend.backend,
    config: { ...CONFIG, trustedProxies },
    ...OPTIONS,
  });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: handle,
    websocket: tunnelHandler,
  });
  return {
    backend,
    owner,
    client: () => createApiClient(server.url),
    as: (...emails: string[]) => {
      const client = createApiClient(server.url);
      const headers = { "Remote-Email": emails.join(", ") };
      return (path: string, options = {}) => client.request(path, { headers, ...options });
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      await backend[Symbol.asyncDispose]();
    },
  };
}

describe("the header of a trusted proxy", () => {
  test("signs in who it names, for each request anew", async () => {
    await using server = await startBehindProxy();
    const client = server.client();
    const headers = { "Remote-Email": ` ${OWNER.email.toUpperCase()}` };
    expect(await client.json("/api/token", { headers })).toMatchObject({
      state: "signed-in",
      role: "owner",
    });
    expect((await client.request("/api/domains", { headers })).status).toBe(200);
    // Its cookies let nobody in, and without its XSRF token nothing is changed.
    expect((await client.request("/api/domains")).status).toBe(401);
    expect(await client.json("/api/token")).toEqual({ state: "signed-out" });
    const token = { name: "script", scope: "read" };
    const create = { method: "POST", json: token };
    const forged = { ...headers, "X-XSRF-TOKEN": "" };
    expect((await client.request("/api/tokens", { ...create, headers: forged })).status).toBe(403);
    // The proxy vouches now: no other proof is asked for.
    expect((await client.request("/api/tokens", { ...create, headers })).status).toBeLessThan(300);
  });

  test("is refused where it may hold what a client added, or is no address", async () => {
    await using server = await startBehindProxy({ authCreate: "viewer" });
    for (const emails of [[OWNER.email, OWNER.email], ["a,b@example.com"], ["Ada Lovelace"]]) {
      expect((await server.as(...emails)("/api/token")).status).toBe(400);
    }
    // Of a proxy that has nobody signed in.
    expect(await (await server.as("")("/api/token")).json()).toEqual({ state: "signed-out" });
  });

  test("is UTF-8, and folded in no more than the case of A to Z", async () => {
    await using server = await startBehindProxy({ authCreate: "viewer" });
    const bytes = (text: string) => Buffer.from(text).toString("latin1");
    expect(await (await server.as(bytes("josé@x.test"))("/api/token")).json()).toMatchObject({
      state: "signed-in",
      email: "josé@x.test",
    });
    for (const given of [bytes("JOSÉ@x.test"), bytes("\u212aate@x.test"), "jos\u00e9@x.test"]) {
      expect((await server.as(given)("/api/token")).status).toBe(400);
    }
  });

  test("makes accounts only where it may, as viewers", async () => {
    await using strict = await startBehindProxy();
    const unknown = strict.as("new@example.com");
    expect(await (await unknown("/api/token")).json()).toEqual({ state: "signed-out" });
    expect((await unknown("/api/domains")).status).toBe(401);

    await using open = await startBehindProxy({ authCreate: "viewer" });
    const many = Array.from({ length: 10 }, () => open.as("New@Example.com")("/api/domains"));
    expect(new Set((await Promise.all(many)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await (await open.as("new@example.com")("/api/token")).json()).toMatchObject({
      role: "viewer",
    });
    const audit = JSON.stringify(await open.owner.json("/api/audit"));
    expect(audit.match(/person-added/g)).toHaveLength(1);
    await open.backend.write(
      (sql) => sql`update users set disabled = 1 where email = 'new@example.com'`,
    );
    expect((await open.as("new@example.com")("/api/domains")).status).toBe(401);
  });

  test("makes an account of someone invited as their invitation says", async () => {
    await using server = await startBehindProxy({ authCreate: "viewer" });
    const json = { email: "eve@example.com", role: "viewer", limit: { owners: ["Acme"] } };
    await server.owner.post("/api/invitations", json);
    expect(await (await server.as("eve@example.com")("/api/token")).json()).toMatchObject({
      role: "limited",
    });
    expect(await server.owner.json("/api/invitations")).toEqual({ items: [] });
  });

  test("is ignored from anywhere else, and logged once in a while", async () => {
    await using server = await startBehindProxy({ trustedProxies: ["192.0.2.0/24"] });
    using log = spyOn(console, "error").mockImplementation(() => {});
    for (let each = 0; each < 5; each += 1) {
      const answer = await server.as(OWNER.email)("/api/token");
      expect(await answer.json()).toEqual({ state: "signed-out" });
    }
    expect(log.mock.calls.map(String)).toEqual([
      expect.stringContaining("Ignored the header remote-email from 127.0.0.1"),
    ]);
    expect(log.mock.calls.join()).not.toContain(OWNER.email);
    expect(await forwarded()).toBeNull();
  });
});
