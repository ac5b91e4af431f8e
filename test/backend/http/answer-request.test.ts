import { describe, expect, test } from "bun:test";
import { createApiClient, OWNER } from "../../support/api-client.ts";
import { SET_UP_CODE, startBackend } from "../../support/backend-server.ts";

describe("the rules of /api/", () => {
  const forged: [string, Record<string, string>][] = [
    ["no token", { "X-XSRF-TOKEN": "" }],
    ["a made-up token", { "X-XSRF-TOKEN": "a".repeat(86) }],
    ["a foreign origin", { Origin: "https://evil.example" }],
    ["an opaque origin", { Origin: "null" }],
    ["an origin on another port", { Origin: "http://127.0.0.1:1" }],
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["a sibling subdomain", { "Sec-Fetch-Site": "same-site" }],
  ];
  test.each(forged)("refuse a write with %s", async (_, headers) => {
    await using server = await startBackend();
    const client = await server.owner();
    const json = { name: "example.com" };
    const write = await client.request("/api/domains", { method: "POST", json, headers });
    expect(write.status).toBe(403);
    const signOut = await client.request("/api/token", { method: "DELETE", headers });
    expect(signOut.status).toBe(403);
    expect((await client.request("/api/domains", { headers })).status).toBe(200);
  });

  test("refuse the token of another session", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const other = server.visitor();
    await other.request("/api/token");
    const headers = { "X-XSRF-TOKEN": other.cookies.get("XSRF-TOKEN") ?? "" };
    const json = { name: "example.com" };
    const response = await client.request("/api/domains", { method: "POST", json, headers });
    expect(response.status).toBe(403);
  });

  test("take a write from a page of our own, also behind a proxy that ends TLS", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const origins = [
      { Origin: server.url.origin, Host: server.url.host },
      { Origin: "https://names.example", Host: "names.example" },
      { Origin: "https://names.example", Host: "names.example:443" },
    ];
    for (const [index, headers] of origins.entries()) {
      const json = { name: `n${index}.example` };
      const site = { "Sec-Fetch-Site": "same-origin" };
      const response = await client.request("/api/domains", {
        method: "POST",
        json,
        headers: { ...headers, ...site },
      });
      expect(response.status).toBe(201);
    }
  });

  test("ask over https for an origin over https", async () => {
    await using server = await startBackend({ peer: { secure: true } });
    const client = server.visitor();
    await client.request("/api/token");
    const headers = { Origin: server.url.origin };
    const json = { setUpCode: SET_UP_CODE, ...OWNER };
    const response = await client.request("/api/token", { method: "POST", json, headers });
    expect(response.status).toBe(403);
    const secure = { Origin: server.url.origin.replace("http:", "https:") };
    const again = await client.request("/api/token", { method: "POST", json, headers: secure });
    expect(again.status).toBe(201);
  });

  test("say 401 to strangers whatever they ask for, then 404 and 405", async () => {
    await using server = await startBackend();
    const owner = await server.owner();
    const stranger = createApiClient(server.url);
    for (const path of ["/api/", "/api/nothing", "/api/domains", "/api/token/"]) {
      expect((await stranger.request(path)).status).toBe(401);
      expect((await stranger.request(path, { method: "DELETE" })).status).toBe(401);
    }
    for (const path of ["/api/", "/api/nothing", "/api/token/", "/api/domains/1", "/api/DOMAINS"]) {
      expect((await owner.request(path)).status).toBe(404);
    }
    const wrong = await owner.request("/api/upload/post", { method: "GET" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
    const put = await owner.request("/api/domains", { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });

  test("harden every answer", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    for (const path of ["/api/token", "/api/domains", "/api/nothing"]) {
      const { headers } = await client.request(path);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; frame-ancestors 'none'; sandbox",
      );
    }
  });

  test("take JSON only, of at most 256 KiB", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const send = (body: BodyInit, type = "application/json") =>
      client.request("/api/domains", { method: "POST", body, headers: { "Content-Type": type } });
    expect((await send("{}", "text/plain")).status).toBe(415);
    expect((await send("{}", "application/json; charset=utf-16")).status).toBe(415);
    expect((await send(new Blob(["name=x"]), "application/x-www-form-urlencoded")).status).toBe(
      415,
    );
    for (const body of ["", "{", "[".repeat(200_000), new Uint8Array([0x22, 0xff, 0x22])]) {
      expect((await send(body)).status).toBe(400);
    }
    const large = JSON.stringify({ name: "example.com", notes: "x".repeat(300_000) });
    expect((await send(large)).status).toBe(413);
    const chunks = new Blob([large]).stream().pipeThrough(new TransformStream());
    expect((await send(chunks)).status).toBe(413);
    const proto = '{"name": "example.com", "__proto__": {}, "constructor": 1}';
    expect(await (await send(proto)).json()).toMatchObject({
      errors: [{ pointer: "/__proto__" }, { pointer: "/constructor" }],
    });
    expect((await send('{"name":"example.com"}', "application/json; charset=UTF-8")).status).toBe(
      201,
    );
  });

  test("answer what is wrong with much less than came", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const post = (options: object) =>
      client
        .request("/api/domains", { method: "POST", ...options })
        .then((answer) => answer.text());
    const many = Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]);
    const said = await post({ json: Object.fromEntries(many) });
    expect(said.length).toBeLessThan(10_000);
    expect(JSON.parse(said).errors).toHaveLength(20);
    const type = `text/${"x".repeat(5000)}`;
    expect((await post({ body: "{}", headers: { "Content-Type": type } })).length).toBeLessThan(
      400,
    );
  });
});
