import { describe, expect, spyOn, test } from "bun:test";
import { sendRaw, statusOf, values } from "../../support/raw-http.ts";
import { startProxyTo, startTestProxy } from "../../support/test-server.ts";
import { reply, startUpstream } from "../../support/upstream.ts";
import { pem, startServer } from "../../support/server-process.ts";
import { startSocketBackend } from "../../support/socket-backend.ts";
import { openSocket } from "../../support/socket-client.ts";

const GET = "GET /api/x HTTP/1.1\nHost: front.example";

describe("the target", () => {
  test.each([
    ["127.0.0.1", "localhost"],
    ["::1", "localhost"],
    ["::1", "[::1]"],
  ])("that listens on %s is found as %s, for requests and WebSockets", async (address, name) => {
    await using backend = startSocketBackend({ hostname: address });
    const { port } = new URL(backend.url.replace("//::1:", "//[::1]:"));
    await using testServer = startTestProxy(`http://${name}:${port}`);
    const answer = await sendRaw(testServer.url, GET);
    expect(answer.body.toString()).toBe("plain");
    expect(backend.handshakes[0]?.headers["host"]).toBe(`${name}:${port}`);
    const { socket, hears } = await openSocket(`${testServer.url}/api/socket`);
    expect(await hears(1)).toEqual(["welcome"]);
    socket.close();
  });

  test("is asked directly, whatever proxy the environment names", async () => {
    await using diverted = await startUpstream((socket) => socket.end(reply("diverted")));
    await using upstream = await startUpstream((socket) => socket.end(reply("direct")));
    const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"];
    const proxies = Object.fromEntries(names.map((name) => [name, diverted.url]));
    await using server = await startServer({ ...proxies, BACKEND_URL: upstream.url });
    const answer = await sendRaw(server.url, GET);
    expect(answer.body.toString()).toBe("direct");
    expect(diverted.requests).toBeEmpty();
  });

  test("gets what Connection may not name away", async () => {
    await using proxy = await startProxyTo((socket) => socket.end(reply()));
    await sendRaw(
      proxy.url,
      "POST /api/x HTTP/1.1\nHost: a\nConnection: host, authorization, cookie, content-length, x-gone\nAuthorization: Bearer x\nCookie: a=1\nX-Gone: 1\nContent-Length: 2",
      "hi",
    );
    const request = proxy.request();
    expect(values(request, "host")).toEqual([new URL(proxy.target).host]);
    expect(values(request, "authorization")).toEqual(["Bearer x"]);
    expect(values(request, "cookie")).toEqual(["a=1"]);
    expect(values(request, "content-length")).toEqual(["2"]);
    expect(values(request, "x-gone")).toEqual([]);
  });
});

describe("the target over TLS", () => {
  const certificate = { cert: Bun.file(pem("cert.pem")), key: Bun.file(pem("key.pem")) };
  const startTls = () => startSocketBackend({ tls: certificate });
  const byName = (url: string) => url.replace("127.0.0.1", "localhost");

  test("is not believed without a certificate, not even where the environment says so", async () => {
    await using backend = startTls();
    const url = byName(backend.url);
    await using server = await startServer({ BACKEND_URL: url, NODE_TLS_REJECT_UNAUTHORIZED: "0" });
    const answer = await sendRaw(server.url, GET);
    expect(statusOf(answer)).toBe(502);
    expect(answer.body.toString()).toContain("certificate");
    await expect(openSocket(`${server.url}/api/socket`)).rejects.toThrow("502");
    expect(backend.handshakes).toBeEmpty();
  });

  test("is believed by its private authority, for requests and WebSockets", async () => {
    await using backend = startTls();
    await using server = await startServer({
      BACKEND_URL: byName(backend.url),
      BACKEND_CA: pem("cert.pem"),
    });
    expect((await sendRaw(server.url, GET)).body.toString()).toBe("plain");
    const { socket, hears } = await openSocket(`${server.url}/api/socket`);
    expect(await hears(1)).toEqual(["welcome"]);
    socket.close();
  });

  test("that speaks no TLS at all is 502", async () => {
    using _ = spyOn(console, "error").mockImplementation(() => undefined);
    await using upstream = await startUpstream((socket) => socket.end(reply()));
    await using testServer = startTestProxy(upstream.url.replace("http:", "https:"), {
      timeout: 2,
    });
    expect([502, 504]).toContain(statusOf(await sendRaw(testServer.url, GET)));
  });
});

describe("a target that is no HTTP server and keeps the connection open", () => {
  /** What comes back where a server says something and leaves it at that. */
  async function statusFor(garbage: string): Promise<number> {
    using _ = spyOn(console, "error").mockImplementation(() => undefined);
    await using proxy = await startProxyTo((socket) => socket.write(garbage), { timeout: 0.5 });
    const answer = await sendRaw(proxy.url, GET);
    return statusOf(answer);
  }

  const refused =
    "garbage that never ends|SSH-2.0-OpenSSH_9.2\r\n|220 mail.example ESMTP\r\n|HTTP/9.9 200 OK\r\n\r\n" +
    "|HTTP/1.1 abc\r\n\r\n|HTTP/1.1 200 OK\r\nbad header\r\n\r\n|HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n|HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab";
  test.each(refused.split("|"))("is 502 at once: %j", async (garbage) => {
    expect(await statusFor(garbage)).toBe(502);
  });

  // Bun waits for more where something is shorter than a status line.
  test.each(["nonsense\r\n\r\n", "<html>", "\0\x01\x02"])("is 502 or 504: %j", async (garbage) => {
    expect([502, 504]).toContain(await statusFor(garbage));
  });
});
