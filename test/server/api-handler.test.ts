import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { Quota } from "../../src/server/api-handler.ts";
import { createApiClient } from "../support/api-client.ts";
import { startServer } from "../support/server-process.ts";
import { reply, startUpstream } from "../support/upstream.ts";

setDefaultTimeout(30_000);

describe("Quota", () => {
  test("limits each address, and all of them together", () => {
    const quota = new Quota({ max: 100, maxPerAddress: 60 });
    const first = quota.open("a");
    expect(first.take(50)).toBe(true);
    expect(quota.open("a").take(11)).toBe(false);
    const second = quota.open("b");
    expect(second.take(50)).toBe(true);
    expect(quota.open("c").take(1)).toBe(false);
    first.release();
    first.release();
    expect(quota.open("a").take(50)).toBe(true);
    expect(quota.open("c").take(1)).toBe(false);
  });
});

/** Sends the beginning of a request on each of many connections, and leaves them open. */
async function openMany(url: string, count: number, bytes: string) {
  const sockets: Socket[] = [];
  for (let at = 0; at < count; at++) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    sockets.push(socket.on("error", () => undefined));
    await new Promise((resolve) => socket.write(bytes, resolve));
  }
  return {
    count: sockets.length,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The head of a request in chunks, and the first byte of its body. */
const begin = (path: string, ...headers: string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
    ...headers,
    "\r\n1\r\n{\r\n",
  ].join("\r\n");

describe("server.ts: bodies that never end", () => {
  test("keep nobody from signing in: 100 of one byte each", async () => {
    await using server = await startServer({ LOG: "quiet" });
    const stranger = createApiClient(server.url);
    await stranger.request("/api/token");
    const cookies = [...stranger.cookies].map((pair) => pair.join("=")).join("; ");
    const token = `X-XSRF-TOKEN: ${stranger.cookies.get("XSRF-TOKEN")}`;
    using slow = await openMany(server.url, 100, begin("/api/token", `Cookie: ${cookies}`, token));
    expect(slow.count).toBe(100);
    await Bun.sleep(200);
    const owner = createApiClient(server.url);
    expect((await owner.setUp(server.setUpCode())).status).toBe(201);
  });

  test("keep no other request from the backend behind the proxy: 1,024 slow strangers", async () => {
    await using upstream = await startUpstream((socket) => socket.end(reply("answered")));
    await using server = await startServer({ BACKEND_URL: upstream.url, LOG: "quiet" });
    using slow = await openMany(server.url, 1024, begin("/api/x"));
    expect(slow.count).toBe(1024);
    const response = await fetch(`${server.url}/api/x`, { method: "POST", body: "x".repeat(5000) });
    expect(response.status).toBe(200);
  });
});
