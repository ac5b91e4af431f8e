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
  const api = {
    fetch: async ({ headers }: Request) => Response.json(headers.get("remote-email")),
    ready: async () => true as const,
    close: async () => {},
  };
  await using server = serve(api, ["192.0.2.0/24"]);
  const headers = { "Remote-Email": OWNER.email };
  return (await fetch(new URL("/api/x", server.url), { headers })).json();
}

/** The server's own handler before an API. */
function serve(api: Parameters<typeof createApiHandler>[0]["api"], trustedProxies: string[]) {
  const config = { ...CONFIG, trustedProxies };
  const fetch = createApiHandler({ ...OPTIONS, config, api });
  return Bun.serve({ port: 0, hostname: "127.0.0.1", fetch, websocket: tunnelHandler });
}

/** The server's own handler before a backend with an owner, as `AUTH_HEADER=Remote-Email` makes it. */
async function startBehindProxy({ authCreate, trustedProxies = ["127.0.0.0/8"] }: Proxied = {}) {
  const backend = await startBackend({ ...(authCreate && { authCreate }) });
  const owner = await backend.owner();
  const server = serve(backend.backend, trustedProxies);
  return {
    backend,
    owner,
    client: () => createApiClient(server.url),
    /** What somebody whom the proxy names is answered. */
    as(...emails: string[]) {
      const headers = { "Remote-Email": emails.join(", ") };
      const ask = (path: string) => createApiClient(server.url).request(path, { headers });
      return {
        session: async () => (await ask("/api/token")).json(),
        status: async () => (await ask("/api/domains")).status,
      };
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
    const session = await client.json("/api/token", { headers });
    expect(session).toMatchObject({ state: "signed-in", role: "owner" });
    expect((await client.request("/api/domains", { headers })).status).toBe(200);
    // Its cookies let nobody in, and without its XSRF token nothing is changed.
    expect((await client.request("/api/domains")).status).toBe(401);
    expect(await client.json("/api/token")).toEqual({ state: "signed-out" });
    const create = { method: "POST", json: { name: "script", scope: "read" } };
    const forged = { ...headers, "X-XSRF-TOKEN": "" };
    expect((await client.request("/api/tokens", { ...create, headers: forged })).status).toBe(403);
    // The proxy vouches now: no other proof is asked for.
    expect((await client.request("/api/tokens", { ...create, headers })).status).toBeLessThan(300);
  });

  test("is one address in UTF-8, folded in no more than the case of A to Z, or refused", async () => {
    await using server = await startBehindProxy({ authCreate: "viewer" });
    for (const emails of [[OWNER.email, OWNER.email], ["a,b@example.com"], ["Ada Lovelace"]]) {
      expect(await server.as(...emails).session()).toMatchObject({ status: 400 });
    }
    // Of a proxy that has nobody signed in.
    expect(await server.as("").session()).toEqual({ state: "signed-out" });
    const bytes = (text: string) => Buffer.from(text).toString("latin1");
    expect(await server.as(bytes("josé@x.test")).session()).toMatchObject({ email: "josé@x.test" });
    for (const given of [bytes("JOSÉ@x.test"), bytes("\u212aate@x.test"), "jos\u00e9@x.test"]) {
      expect(await server.as(given).session()).toMatchObject({ status: 400 });
    }
  });

  test("makes accounts only where it may, as viewers or as they were invited", async () => {
    await using strict = await startBehindProxy();
    const unknown = strict.as("new@example.com");
    expect(await unknown.session()).toEqual({ state: "signed-out" });
    expect(await unknown.status()).toBe(401);

    await using open = await startBehindProxy({ authCreate: "viewer" });
    const many = Array.from({ length: 10 }, () => open.as("New@Example.com").status());
    expect(new Set(await Promise.all(many))).toEqual(new Set([200]));
    const known = open.as("new@example.com");
    expect(await known.session()).toMatchObject({ role: "viewer" });
    const audit = JSON.stringify(await open.owner.json("/api/audit"));
    expect(audit.match(/person-added/g)).toHaveLength(1);
    const json = { email: "eve@example.com", role: "viewer", limit: { owners: ["Acme"] } };
    await open.owner.post("/api/invitations", json);
    expect(await open.as(json.email).session()).toMatchObject({ role: "limited" });
    expect(await open.owner.json("/api/invitations")).toEqual({ items: [] });
    await open.backend.write((sql) => sql`update users set disabled = 1`);
    expect(await known.status()).toBe(401);
  });

  test("is ignored from anywhere else, and logged once in a while", async () => {
    await using server = await startBehindProxy({ trustedProxies: ["192.0.2.0/24"] });
    using log = spyOn(console, "error").mockImplementation(() => {});
    for (let each = 0; each < 5; each += 1) {
      expect(await server.as(OWNER.email).session()).toEqual({ state: "signed-out" });
    }
    expect(log.mock.calls.map(String)).toEqual([
      expect.stringContaining("Ignored the header remote-email from 127.0.0.1"),
    ]);
    expect(log.mock.calls.join()).not.toContain(OWNER.email);
    expect(await forwarded()).toBeNull();
  });
});
