import { afterAll, describe, expect, test } from "bun:test";
import { createApiClient, OWNER } from "../../support/api-client.ts";
import { SET_UP_CODE, startBackend } from "../../support/backend-server.ts";

/** One server for all of them: no test minds the domains of another. */
const server = await startBackend();
const client = await server.owner();
afterAll(() => server[Symbol.asyncDispose]());

describe("the rules of /api/", () => {
  const forged: [string, Record<string, string>][] = [
    ["a made-up token", { "X-XSRF-TOKEN": "a".repeat(86) }],
    ["an opaque origin", { Origin: "null" }],
    ["an origin on another port", { Origin: "http://127.0.0.1:1" }],
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["a sibling subdomain", { "Sec-Fetch-Site": "same-site" }],
  ];
  test.each(forged)("refuse a write with %s", async (_, headers) => {
    const json = { name: "example.com" };
    const post = { method: "POST", json, headers };
    expect((await client.request("/api/domains", post)).status).toBe(403);
    expect((await client.request("/api/domains", { headers })).status).toBe(200);
  });

  test("take a write from a page of our own, also behind a proxy that ends TLS", async () => {
    const origins = [
      { Origin: server.url.origin, Host: server.url.host },
      { Origin: "https://names.example", Host: "names.example" },
      { Origin: "https://names.example", Host: "names.example:443" },
    ];
    for (const [index, origin] of origins.entries()) {
      const json = { name: `n${index}.example` };
      const headers = { ...origin, "Sec-Fetch-Site": "same-origin" };
      const response = await client.request("/api/domains", { method: "POST", json, headers });
      expect(response.status).toBe(201);
    }
  });

  test("ask over https for an origin over https", async () => {
    await using secured = await startBackend({ peer: { secure: true } });
    const visitor = secured.visitor();
    await visitor.request("/api/token");
    const { origin } = secured.url;
    for (const [Origin, status] of [
      [origin, 403],
      [origin.replace("http:", "https:"), 201],
    ] as const) {
      const json = { setUpCode: SET_UP_CODE, ...OWNER };
      const given = { method: "POST", json, headers: { Origin } };
      expect((await visitor.request("/api/token", given)).status).toBe(status);
    }
  });

  test("say 401 to strangers whatever they ask for, then 404 and 405", async () => {
    const stranger = createApiClient(server.url);
    for (const path of ["/api/", "/api/nothing", "/api/domains", "/api/token/"]) {
      expect(await stranger.json(path)).toMatchObject({ status: 401, title: "Unauthorized" });
      expect((await stranger.delete(path)).status).toBe(401);
    }
    for (const path of ["/api/", "/api/nothing", "/api/token/", "/api/domains/1", "/api/DOMAINS"]) {
      expect((await client.request(path)).status).toBe(404);
    }
    const put = await client.request("/api/domains", { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });

  test("harden every answer", async () => {
    for (const path of ["/api/token", "/api/domains", "/api/nothing"]) {
      const { headers } = await client.request(path);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      const policy = "default-src 'none'; frame-ancestors 'none'; sandbox";
      expect(headers.get("content-security-policy")).toBe(policy);
    }
  });

  test("take JSON only", async () => {
    const send = (body: BodyInit, type = "application/json") =>
      client.request("/api/domains", { method: "POST", body, headers: { "Content-Type": type } });
    for (const type of ["text/plain", "application/json; charset=utf-16"]) {
      expect((await send("{}", type)).status).toBe(415);
    }
    for (const body of ["", "{", "[".repeat(200_000), new Uint8Array([0x22, 0xff, 0x22])]) {
      expect((await send(body)).status).toBe(400);
    }
    const proto = '{"name": "example.com", "__proto__": {}, "constructor": 1}';
    const errors = [{ pointer: "/__proto__" }, { pointer: "/constructor" }];
    expect(await (await send(proto)).json()).toMatchObject({ errors });
    const good = await send('{"name":"example.com"}', "application/json; charset=UTF-8");
    expect(good.status).toBe(201);
  });

  test("answer what is wrong with much less than came", async () => {
    const post = async (options: object) =>
      (await client.request("/api/domains/bulk", { method: "POST", ...options })).text();
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]));
    const op = { kind: "delete" };
    for (const json of [
      many,
      { select: many, op },
      { select: { filter: many, expectedCount: 1 }, op },
      { select: { ids: Object.values(many) }, op },
    ]) {
      const said = await post({ json });
      expect(said.length).toBeLessThan(10_000);
      expect(JSON.parse(said).errors).toHaveLength(20);
    }
    const headers = { "Content-Type": `text/${"x".repeat(5000)}` };
    expect((await post({ body: "{}", headers })).length).toBeLessThan(400);
  });
});
