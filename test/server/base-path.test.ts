import { describe, expect, test } from "bun:test";
import { createApiClient } from "../support/api-client.ts";
import { sendRaw, statusOf, values } from "../support/raw-http.ts";
import { startProxyTo, startTestProxy } from "../support/test-server.ts";
import { reply } from "../support/upstream.ts";
import { startServer } from "../support/server-process.ts";
import { startSocketBackend } from "../support/socket-backend.ts";
import { openSocket } from "../support/socket-client.ts";
import { forAll } from "../support/for-all.ts";

const HTML = { Accept: "text/html" };

describe("a server below a base path", () => {
  const env = { BASE_PATH: "/tools/names", TRUSTED_PROXIES: "127.0.0.0/8" };
  const started = forAll(() => startServer(env));

  test("answers with the path, and where a proxy took it off", async () => {
    const server = started();
    const { origin } = new URL(server.url);
    expect(server.url).toBe(`${origin}/tools/names`);
    expect(server.output()).toContain(`Set it up at ${server.url}/home#set-up=`);
    const page = await fetch(`${server.url}/home`, { headers: HTML });
    const html = await page.text();
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(html) ?? [];
    expect(script).toStartWith("/tools/names/assets/");
    const paths = ["", "/", "/home", "/healthz", "/readyz", "/robots.txt", "/icon-192.png"];
    const answers = [...paths, "/api/token", script.slice("/tools/names".length), "/nowhere"];
    for (const path of answers) {
      const [below, stripped] = [
        await fetch(server.url + path, { headers: HTML }),
        await fetch(origin + path, { headers: HTML }),
      ];
      const { status } = below;
      expect([path, status]).toEqual([path, path === "/nowhere" ? 404 : 200]);
      expect(stripped.status).toBe(status);
      if (path !== "/api/token") expect(await stripped.bytes()).toEqual(await below.bytes());
    }
    const manifest = await fetch(`${server.url}/manifest.webmanifest`);
    const { start_url: start, scope } = (await manifest.json()) as Record<string, string>;
    expect(new URL(start ?? "", manifest.url).href).toBe(`${server.url}/home`);
    expect(new URL(scope ?? "", manifest.url).href).toBe(`${server.url}/`);
    // What only begins alike is another path.
    for (const path of ["/tools/namesake", "/Tools/names/home", "/tools/names/tools/names/home"])
      expect((await fetch(origin + path, { headers: HTML })).status).toBe(404);
  });

  test("has cookies of its own, links with the path, and no secret in its log", async () => {
    const server = started();
    const headers = { "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/elsewhere" };
    const secure = await fetch(`${server.url}/api/token`, { headers });
    const names = ["__Host-freehold-session~tools~names", "XSRF-TOKEN~tools~names"];
    const cookies = secure.headers.getSetCookie();
    expect(cookies.map((line) => line.split("=", 1)[0])).toEqual(names);
    for (const line of cookies) expect(line).toMatch(/; Path=\/;.*; Secure/);

    const client = createApiClient(server.url);
    expect((await client.setUp(server.setUpCode())).status).toBe(201);
    expect([...client.cookies.keys()]).toEqual([
      "freehold-session~tools~names",
      "XSRF-TOKEN~tools~names",
    ]);
    const added = await client.post("/api/domains", { name: "example.com" });
    const location = added.headers.get("location") ?? "";
    expect(location).toMatch(/^\/tools\/names\/api\/domains\/./);
    expect((await client.request(location.slice("/tools/names".length))).status).toBe(200);
    const urlOf = async (path: string, json: object): Promise<string> =>
      (await (await client.post(path, json)).json()).url;
    const person = { email: "a@example.org", role: "viewer" };
    const invitation = await urlOf("/api/invitations", person);
    expect(invitation).toContain(`${server.url}/home#invitation=`);
    const url = await urlOf("/api/calendars", { name: "Mine" });
    expect(url).toStartWith("/tools/names/api/calendar/");
    expect((await fetch(new URL(url, server.url))).status).toBe(200);
    expect(await (await client.request("/api")).text()).toContain(
      '"/tools/names/api/openapi.json"',
    );
    const refused = await fetch(`${server.url}/api/token`, { method: "POST" });
    expect(await refused.text()).toContain("XSRF-TOKEN~tools~names cookie");
    await server.printed(/GET \/api\/calendar\/\*\*\* 200/);
    expect(server.output()).not.toContain(url.split("/").at(-1) ?? "");
  });
});

describe("a proxy to a backend, below a base path", () => {
  const ask = (url: string, path: string, ...headers: string[]) =>
    sendRaw(url, [`GET ${path} HTTP/1.1`, "Host: front.example", ...headers].join("\n"));

  test.each(["/names/api/x?a=/names/", "/api/x?a=/names/"])(
    "shows the backend its own path and says the rest in a header: %s",
    async (path) => {
      await using proxy = await startProxyTo((socket) => socket.end(reply()), {
        base: "/v1",
        basePath: "/names",
      });
      expect(statusOf(await ask(proxy.url, path, "X-Forwarded-Prefix: /evil"))).toBe(200);
      const [request] = proxy.requests;
      expect(request?.start).toBe("GET /v1/api/x?a=/names/ HTTP/1.1");
      expect(request && values(request, "x-forwarded-prefix")).toEqual(["/names"]);
    },
  );

  test("leads redirects below the path", async () => {
    let location = "";
    const answer = () => reply("", [`Location: ${location}`], "303 See Other");
    await using proxy = await startProxyTo((socket) => socket.end(answer()), {
      base: "/v1",
      basePath: "/names",
    });
    for (const [given, expected] of [
      [`${proxy.target}/v1/api/y?z`, "/names/api/y?z"],
      [`${proxy.target}/v19/api/y`, `${proxy.target}/v19/api/y`],
      [`${proxy.target}/v1?z`, "/names/?z"],
      [`${proxy.target}/v1`, "/names/"],
      ["/api/y", "/names/api/y"],
      ["/names/api/y", "/names/api/y"],
      ["//other.example/y", "//other.example/y"],
      ["https://other.example/y", "https://other.example/y"],
      ["y", "y"],
    ] as const) {
      location = given;
      expect(values(await ask(proxy.url, "/names/api/x"), "location")).toEqual([expected]);
    }
  });

  test("passes WebSockets and event streams", async () => {
    await using sockets = startSocketBackend();
    await using tunnel = startTestProxy(sockets.url, { basePath: "/names" });
    const { socket, hears } = await openSocket(`${tunnel.url}/names/api/socket?a`);
    socket.send("one");
    expect(await hears(2)).toEqual(["welcome", "one"]);
    expect(sockets.handshakes[0]?.url).toEndWith("/api/socket?a");
    expect(sockets.handshakes[0]?.headers["x-forwarded-prefix"]).toBe("/names");
    socket.close();

    const stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n";
    await using proxy = await startProxyTo((to) => void to.write(stream), { basePath: "/names" });
    const events = (await fetch(`${proxy.url}/names/api/events`)).body?.getReader();
    expect(new TextDecoder().decode((await events?.read())?.value)).toContain("data: 1");
    expect(proxy.requests[0]?.start).toStartWith("GET /api/events ");
    await events?.cancel();
  });
});
