import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { openRaw, sendRaw, values } from "../../support/raw-http.ts";
import { startProxyTo, startTestProxy } from "../../support/test-server.ts";
import { startUpstream } from "../../support/upstream.ts";
import { startServer } from "../../support/server-process.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n";

/** Opens a stream as a browser would, and collects what comes. */
function listenTo(url: string) {
  const head = "GET /api/events HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n";
  const socket = openRaw(url, head);
  let text = "";
  socket.on("data", (data) => (text += data.toString()));
  return {
    socket,
    async hears(part: string) {
      while (!text.includes(part)) await new Promise((resolve) => socket.once("data", resolve));
      return text;
    },
  };
}

/** A backend that hands the socket over once its head has been sent. */
async function startEvents(head = HEAD) {
  const { promise: opened, resolve } = Promise.withResolvers<Socket>();
  const upstream = await startUpstream((socket) => {
    socket.write(`${head}\r\n`);
    resolve(socket);
  });
  return { upstream, opened };
}

describe("createProxy: event streams", () => {
  test.each(["production", "development"])(
    "shows in %s that the stream is open before the first event, then each event at once",
    async (NODE_ENV) => {
      const { upstream, opened } = await startEvents();
      await using backend = upstream;
      await using server = await startServer({ BACKEND_URL: backend.url, NODE_ENV });
      const client = listenTo(server.url);
      const head = await client.hears("\r\n\r\n");
      expect(head).toStartWith("HTTP/1.1 200");
      expect(head.toLowerCase()).toContain("content-type: text/event-stream");
      const source = await opened;
      for (const event of ["data: 1\n\n", "id: 2\ndata: two\n\n"]) {
        source.write(event);
        await client.hears(event);
      }
      const text = await client.hears("data: two");
      expect(text.split("\r\n\r\n", 2)[1]).toContain(":\n\n");
      client.socket.destroy();
      await new Promise((resolve) => source.on("close", resolve));
    },
  );

  test("adds nothing where the backend speaks first", async () => {
    await using proxy = await startProxyTo((socket) => socket.end(`${HEAD}\r\n\uFEFFdata: 1\n\n`));
    const answer = await sendRaw(proxy.url, "GET /api/events HTTP/1.1\nHost: a");
    expect(answer.body.toString()).toBe("\uFEFFdata: 1\n\n");
    expect(values(answer, "cache-control")).toEqual(["no-cache"]);
  });

  test("adds nothing to what is compressed", async () => {
    const body = Bun.gzipSync("data: 1\n\n");
    const { upstream, opened } = await startEvents(`${HEAD}Content-Encoding: gzip\r\n`);
    await using backend = upstream;
    await using testServer = startTestProxy(backend.url);
    const answering = sendRaw(testServer.url, "GET /api/events HTTP/1.1\nHost: a");
    const source = await opened;
    await Bun.sleep(100);
    source.end(body);
    expect((await answering).body.equals(Buffer.from(body))).toBe(true);
  });

  test("lets 300 quiet streams hold up nobody", async () => {
    await using upstream = await startUpstream((socket, { start }) => {
      if (start.includes("/api/events")) socket.write(`${HEAD}\r\n: hello\n\n`);
      else socket.end("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nanswered");
    });
    await using server = await startServer({ BACKEND_URL: upstream.url, LOG: "quiet" });
    const clients = Array.from({ length: 300 }, () => listenTo(server.url));
    await Promise.all(clients.map(({ hears }) => hears(": hello")));
    const answer = await fetch(`${server.url}/api/other`);
    expect(await answer.text()).toBe("answered");
    expect(upstream.connections()).toBeGreaterThanOrEqual(300);
    for (const { socket } of clients) socket.destroy();
    while (upstream.connections() > 1) await Bun.sleep(10);
  });
});
