import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { createQuota } from "../../src/server/api-handler.ts";
import { createApiClient } from "../support/api-client.ts";
import { memoryDuring } from "../support/resident-memory.ts";
import { startServer } from "../support/server-process.ts";
import { openRaw, readAll } from "../support/raw-http.ts";
import { reply, startUpstream } from "../support/upstream.ts";

test("createQuota limits each subscriber, whatever the address, and all of them together", () => {
  const open = createQuota({ max: 100, maxPerSubscriber: 60 });
  const first = open("2001:db8::1");
  expect(first.take(50)).toBe(true);
  expect(open("2001:db8::2:1").take(11)).toBe(false);
  const second = open("b");
  expect(second.take(50)).toBe(true);
  expect(open("c").take(1)).toBe(false);
  first.release();
  first.release();
  expect(open("2001:db8::1").take(50)).toBe(true);
  expect(open("c").take(1)).toBe(false);
});

/** Sends the beginning of a request on each of many connections, and leaves them open. */
async function openMany(url: string, count: number, bytes: string) {
  const sockets: Socket[] = [];
  for (let at = 0; at < count; at++) {
    const socket = openRaw(url, "");
    sockets.push(socket);
    await new Promise((resolve) => socket.write(bytes, resolve));
  }
  return {
    sockets,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Resolves with how many connections were answered with a status, once all are closed. */
async function countAnswers(sockets: readonly Socket[], status: number) {
  const answers = await Promise.all(sockets.map(readAll));
  return answers.filter((bytes) => bytes.toString().startsWith(`HTTP/1.1 ${status} `)).length;
}

const CHUNKED = ["Transfer-Encoding: chunked", "", "1", "{", ""];
const ANNOUNCED = ["Content-Length: 65536", "", "{"];

/** The head of a request, and the first byte of its body. */
const begin = (path: string, framing: string[], ...headers: string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    ...headers,
    ...framing,
  ].join("\r\n");

/** The headers with which somebody who is not signed in may send a body. */
async function strangersToken(url: string): Promise<string[]> {
  const stranger = createApiClient(url);
  await stranger.request("/api/token");
  return Object.entries(stranger.ownHeaders()).map((pair) => pair.join(": "));
}

describe("server.ts: bodies that never end", () => {
  test("keep nobody from signing in: 100 of one byte each", async () => {
    await using server = await startServer({ LOG: "quiet" });
    const token = await strangersToken(server.url);
    using slow = await openMany(server.url, 100, begin("/api/token", CHUNKED, ...token));
    expect(slow.sockets.length).toBe(100);
    await Bun.sleep(200);
    const owner = createApiClient(server.url);
    expect((await owner.setUp(server.setUpCode())).status).toBe(201);
  });

  test.skipIf(process.platform !== "linux")(
    "cost little memory, and are refused: 20 in 15,000 crumbs each",
    async () => {
      await using server = await startServer({ LOG: "quiet" });
      const token = await strangersToken(server.url);
      const cost = await memoryDuring(server.pid, async () => {
        using hostile = await openMany(server.url, 20, begin("/api/token", CHUNKED, ...token));
        // What is there before the body is read comes as one part.
        await Bun.sleep(200);
        for (const socket of hostile.sockets) socket.write("1\r\nx\r\n".repeat(15_000));
        expect(await countAnswers(hostile.sockets, 400)).toBe(20);
      });
      expect(cost).toBeLessThan(60 * 1_048_576);
    },
  );

  test.each([
    ["in chunks", CHUNKED],
    ["of an announced length", ANNOUNCED],
  ])("keep no other request from the backend behind the proxy: 1,024 %s", async (_, framing) => {
    await using upstream = await startUpstream((socket) => socket.end(reply("answered")));
    await using server = await startServer({ BACKEND_URL: upstream.url, LOG: "quiet" });
    using slow = await openMany(server.url, 1024, begin("/api/x", framing));
    expect(slow.sockets.length).toBe(1024);
    const body = "x".repeat(5000);
    expect((await fetch(`${server.url}/api/x`, { method: "POST", body })).status).toBe(200);
  });
});
