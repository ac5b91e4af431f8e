import { describe, expect, spyOn, test } from "bun:test";
import type { Socket } from "node:net";
import { MAX_MESSAGE_BYTES } from "../../../src/server/websockets/tunnel.ts";
import {
  exchangeBytes,
  HANDSHAKE,
  openRaw,
  parseMessage,
  RAW_HANDSHAKE,
  sendRaw,
  statusOf,
  values,
} from "../../support/raw-http.ts";
import { startProxyTo, startTestProxy, startTestServer } from "../../support/test-server.ts";
import { agree, reply, startUpstream } from "../../support/upstream.ts";
import { memoryDuring } from "../../support/resident-memory.ts";
import { startServer } from "../../support/server-process.ts";
import { startSocketBackend } from "../../support/socket-backend.ts";
import { openSocket } from "../../support/socket-client.ts";

const shake = (url: string, head = HANDSHAKE) => sendRaw(url, head);

const quiet = () => spyOn(console, "error").mockImplementation(() => undefined);

const MEGABYTE = 1_048_576;

describe("WebSockets: messages", () => {
  test("pass both ways as they are: texts, bytes, empty ones, in order, and pings, which keep the other hop alive", async () => {
    await using backend = startSocketBackend();
    await using testServer = startTestProxy(backend.url);
    const { socket, hears } = await openSocket(`${testServer.url}/api/socket?a=%2F`);
    for (const message of ["one", "", "zwei €", Buffer.from("bytes")]) socket.send(message);
    expect(await hears(5)).toEqual(["welcome", "one", "", "zwei €", "bytes"]);
    expect(backend.handshakes[0]?.url).toEndWith("/api/socket?a=%2F");
    socket.ping("mine");
    expect((await hears(6)).at(-1)).toBe("pong mine");
    expect(await backend.saw("ping")).toBe("ping mine");
    socket.send("ping theirs");
    expect((await hears(7)).at(-1)).toBe("ping theirs");
    expect(await backend.saw("pong")).toBe("pong theirs");
    socket.close();
  });

  test("that a backend sends at once wait for the client", async () => {
    const accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    await using proxy = await startProxyTo((socket, request) => {
      // The head, two messages and the close in one packet.
      socket.end(
        Buffer.concat([
          Buffer.from(agree(request)),
          Buffer.from("\x81\x02hi\x81\x03you\x88\x05\x0f\xa1bye", "latin1"),
        ]),
      );
    });
    const bytes = await exchangeBytes(proxy.url, RAW_HANDSHAKE);
    expect(values(parseMessage(bytes) ?? never(), "sec-websocket-accept")).toEqual([accept]);
    const frames = bytes.subarray(bytes.indexOf("\r\n\r\n") + 4).toString("latin1");
    expect(frames).toBe("\x81\x02hi\x81\x03you\x88\x05\x0f\xa1bye");
  });

  test("of 1 MB pass both ways, of 20 MB from the backend, and a client's longer one closes both with 1009", async () => {
    await using backend = startSocketBackend();
    await using testServer = startTestProxy(backend.url);
    const { socket, hears, heard, closed } = await openSocket(`${testServer.url}/api/socket`);
    socket.send(Buffer.alloc(MAX_MESSAGE_BYTES, "x"));
    await hears(2);
    expect(heard[1]).toHaveLength(MAX_MESSAGE_BYTES);
    for (const each of backend.sockets) each.send(Buffer.alloc(20_000_000, "x"));
    await hears(3);
    expect(heard[2]).toHaveLength(20_000_000);
    socket.send(Buffer.alloc(5 * MAX_MESSAGE_BYTES));
    expect((await closed).code).toBe(1009);
    expect(await backend.saw("close")).toBe("close 1009 Received too big message");
  });
});

describe("WebSockets: the handshake", () => {
  test("carries who asks, and what the client says of itself, and lets the backend choose the subprotocol", async () => {
    await using backend = startSocketBackend();
    await using testServer = startTestProxy(`${backend.url}/base`);
    const headers = {
      Cookie: "a=1; b=2",
      Origin: "https://front.example",
      "X-Forwarded-For": "6.6.6.6",
      "X-XSRF-TOKEN": "t",
    };
    const said = { headers, protocols: ["a", "b"] };
    const { socket } = await openSocket(`${testServer.url}/api/socket`, said);
    const [handshake] = backend.handshakes;
    expect(handshake?.url).toBe(`${backend.url}/base/api/socket`);
    expect(handshake?.headers).toMatchObject({
      cookie: "a=1; b=2",
      origin: "https://front.example",
      "x-xsrf-token": "t",
      "sec-websocket-protocol": "a, b",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-host": new URL(testServer.url).host,
      host: new URL(backend.url).host,
    });
    expect(handshake?.headers).not.toHaveProperty("user-agent");
    expect(socket.protocol).toBe("b");
    socket.close();
  });

  test.each([
    ["401 X", 401],
    ["403 X", 403],
    ["404 X", 404],
    ["426 X", 426],
    ["200 OK", 502],
    ["302 Found", 502],
    ["500 X", 502],
  ])("is refused where the backend says %s with %d", async (said, status) => {
    using _ = quiet();
    const refusal = reply("secret", ["Location: /"], said);
    await using proxy = await startProxyTo((socket) => socket.end(refusal));
    const answer = await shake(proxy.url);
    expect(statusOf(answer)).toBe(status);
    expect(answer.body.toString()).not.toContain("secret");
  });

  test("is refused with 502 where the backend is dead, with 504 where it is silent", async () => {
    await using upstream = await startUpstream(() => undefined);
    const closed = await startUpstream(() => undefined);
    await closed[Symbol.asyncDispose]();
    using _ = quiet();
    await using dead = startTestProxy(closed.url);
    expect(statusOf(await shake(dead.url))).toBe(502);
    await using silent = startTestProxy(upstream.url, { timeout: 0.2 });
    const answer = await shake(silent.url);
    expect(statusOf(answer)).toBe(504);
    expect(values(answer, "content-type")).toEqual(["application/problem+json"]);
  });

  test.each([
    ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 8", 426],
    ["Sec-WebSocket-Version: 13", "X-No: version", 426],
    ["dGhlIHNhbXBsZSBub25jZQ==", "short", 400],
  ])("with %s as %s is not even tried", async (right, wrong, status) => {
    await using proxy = await startProxyTo((socket) => socket.end(reply()));
    expect(statusOf(await shake(proxy.url, HANDSHAKE.replace(right, wrong)))).toBe(status);
    expect(proxy.requests).toBeEmpty();
  });

  test.each(["h2c", "tcp", "TLS/1.0", "websocket, h2c"])(
    "to anything but a WebSocket is ignored: %s",
    async (protocol) => {
      await using proxy = await startProxyTo((socket) => socket.end(reply()));
      const answer = await sendRaw(
        proxy.url,
        `GET /api/x HTTP/1.1\nHost: a\nConnection: Upgrade, HTTP2-Settings\nUpgrade: ${protocol}\nHTTP2-Settings: x`,
      );
      expect(statusOf(answer)).toBe(200);
      expect(values(answer, "upgrade")).toEqual([]);
      for (const name of ["upgrade", "http2-settings"])
        expect(values(proxy.request(), name)).toEqual([]);
    },
  );

  test("is an ordinary request outside /api/, and where no proxy stands behind it", async () => {
    await using proxy = await startProxyTo((socket) => socket.end(reply()));
    const page = await sendRaw(proxy.url, HANDSHAKE.replace("/api/socket", "/home"));
    expect(page.body.toString()).toBe("<h1>Home</h1>");
    await using embedded = startTestServer();
    expect((await sendRaw(embedded.url, HANDSHAKE)).body.toString()).toBe("api");
  });

  test("lets go of the backend when the client leaves before it is complete", async () => {
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    await using proxy = await startProxyTo((socket) => {
      socket.on("close", () => left.resolve());
      arrived.resolve();
    });
    const client = openRaw(proxy.url, RAW_HANDSHAKE);
    await arrived.promise;
    client.destroy();
    await left.promise;
  });
});

describe("WebSockets: the end", () => {
  test("passes each code on, none as none, and a broken connection as one, both ways", async () => {
    await using backend = startSocketBackend();
    await using testServer = startTestProxy(backend.url);
    for (const code of [1000, 1001, 1011, 1012, 3000, 4001]) {
      const byBackend = await openSocket(`${testServer.url}/api/socket`);
      byBackend.socket.send(`close ${code} good bye`);
      expect(await byBackend.closed).toEqual({ code, reason: "good bye" });
      backend.events.length = 0;
      const byClient = await openSocket(`${testServer.url}/api/socket`);
      byClient.socket.close(code, "ciao");
      expect(await backend.saw("close")).toBe(`close ${code} ciao`);
      backend.events.length = 0;
    }
    const first = await openSocket(`${testServer.url}/api/socket`);
    first.socket.close();
    expect(await backend.saw("close")).toBe("close 1005 ");
    backend.events.length = 0;
    const second = await openSocket(`${testServer.url}/api/socket`);
    second.socket.terminate();
    expect(await backend.saw("close")).toBe("close 1006 ");
    const third = await openSocket(`${testServer.url}/api/socket`);
    third.socket.send("terminate");
    expect((await third.closed).code).toBe(1006);
  });
});

describe("WebSockets: slow sides", () => {
  /** Waits until a number has stopped to change. */
  async function settled(read: () => number): Promise<number> {
    for (let last = read(); ;) {
      await Bun.sleep(150);
      const now = read();
      if (now === last) return now;
      last = now;
    }
  }

  test("a backend that does not read stops the client, and gets everything later", async () => {
    await using backend = startSocketBackend();
    await using testServer = startTestProxy(backend.url);
    const { socket, hears } = await openSocket(`${testServer.url}/api/socket`);
    socket.send("pause");
    await hears(1);
    for (let count = 0; count < 40; count++) socket.send(Buffer.alloc(MEGABYTE, "x"));
    expect(await settled(() => socket.bufferedAmount)).toBeGreaterThan(16 * MEGABYTE);
    for (const each of backend.sockets) each.resume();
    const all = await hears(41);
    expect(all.slice(1).every((each) => each.length === MEGABYTE)).toBe(true);
    socket.terminate();
  });

  test("a client that does not read stops the backend, and gets everything later", async () => {
    await using backend = startSocketBackend();
    await using testServer = startTestProxy(backend.url);
    const { socket, hears } = await openSocket(`${testServer.url}/api/socket`);
    await hears(1);
    socket.pause();
    socket.send("send 40");
    const [sender = never()] = backend.sockets;
    while (sender.getBufferedAmount() === 0) await Bun.sleep(5);
    expect(await settled(() => sender.getBufferedAmount())).toBeGreaterThan(16 * MEGABYTE);
    socket.resume();
    expect((await hears(41)).slice(1).every((each) => each.length === MEGABYTE)).toBe(true);
    socket.terminate();
  });

  test("a backend that takes nothing for too long is let go, and the client with it", async () => {
    await using backend = startSocketBackend();
    await using testServer = startTestProxy(backend.url, { timeout: 1.5 });
    const { socket, hears, closed } = await openSocket(`${testServer.url}/api/socket`);
    socket.send("pause");
    await hears(1);
    for (let count = 0; count < 40; count++) socket.send(Buffer.alloc(MEGABYTE));
    expect((await closed).code).toBe(1006);
  });
});

/** A frame of a client: final or not, its payload all blanks under a mask of nothing. */
function clientFrame(opcode: number, length: number, final = true): Buffer {
  const first = (final ? 0x80 : 0) | opcode;
  const head = length < 126 ? [first, 0x80 | length] : [first, 0xff, 0, 0, 0, 0];
  const size = Buffer.alloc(length < 126 ? 0 : 4);
  if (size.length > 0) size.writeUInt32BE(length);
  return Buffer.concat([Buffer.from(head), size, Buffer.alloc(4), Buffer.alloc(length, " ")]);
}

/** A WebSocket of which nothing is read but the response to its handshake. */
async function openUnread(url: string): Promise<Socket> {
  const socket = openRaw(url, RAW_HANDSHAKE);
  const answer = await new Promise((resolve) => socket.once("data", resolve));
  expect(String(answer)).toStartWith("HTTP/1.1 101 ");
  socket.pause();
  return socket;
}

describe.skipIf(process.platform !== "linux")("WebSockets: memory", () => {
  test("a client that sends pings and reads nothing costs less than 20 MB", async () => {
    await using backend = startSocketBackend();
    await using server = await startServer({ BACKEND_URL: backend.url, LOG: "quiet" });
    const socket = await openUnread(server.url);
    for (const each of backend.sockets) each.pause();
    const pings = Buffer.concat(Array.from({ length: 5000 }, () => clientFrame(0x9, 125)));
    const cost = await memoryDuring(server.pid, async () => {
      const until = performance.now() + 1000;
      while (performance.now() < until) {
        if (socket.writableLength < 4 * MEGABYTE) socket.write(pings);
        await Bun.sleep(1);
      }
    });
    expect(cost).toBeLessThan(20 * MEGABYTE);
    socket.destroy();
  });

  test("one address has at most 64 open, and messages that never end cost 1 MB each", async () => {
    await using backend = startSocketBackend();
    await using server = await startServer({ BACKEND_URL: backend.url, LOG: "quiet" });
    const sockets: Socket[] = [];
    const cost = await memoryDuring(server.pid, async () => {
      for (let count = 0; count < 64; count++) sockets.push(await openUnread(server.url));
      for (const socket of sockets) socket.write(clientFrame(0x2, MEGABYTE - 1000, false));
      await Bun.sleep(500);
    });
    expect(statusOf(await shake(server.url))).toBe(503);
    expect(cost).toBeLessThan(150 * MEGABYTE);
    for (const socket of sockets) socket.destroy();
    // Each one that ends makes room.
    while (backend.sockets.size > 0) await Bun.sleep(10);
    const { socket, hears } = await openSocket(`${server.url}/api/socket`);
    expect(await hears(1)).toEqual(["welcome"]);
    socket.close();
  });
});

test.each(["production", "development"])(
  "WebSockets: server.ts passes them on in %s",
  async (NODE_ENV) => {
    await using backend = startSocketBackend();
    // The environment's proxy is nobody's.
    const proxy = "http://127.0.0.1:9";
    await using server = await startServer({
      NODE_ENV,
      BACKEND_URL: backend.url,
      HTTP_PROXY: proxy,
      http_proxy: proxy,
      ALL_PROXY: proxy,
    });
    const { socket, hears, closed } = await openSocket(`${server.url}/api/socket`);
    socket.send("hello");
    expect(await hears(2)).toEqual(["welcome", "hello"]);
    await server.printed(/GET \/api\/socket 101 /);
    socket.close(1000);
    await closed;
    expect(await server.stop()).toBe(0);
  },
);

// What Bun 1.4.5 does otherwise. Each of these fails on the day Bun does better.
describe("WebSockets: limits of Bun", () => {
  test("a message sent before the handshake is answered breaks it, as RFC 6455 §4.1 forbids it", async () => {
    await using backend = startSocketBackend();
    await using testServer = startTestProxy(backend.url);
    const bytes = await exchangeBytes(testServer.url, `${RAW_HANDSHAKE}\x81\x83\0\0\0\0abc`);
    expect(bytes.toString()).toStartWith("HTTP/1.1 400 ");
  });

  test("a backend that chooses none of the subprotocols that are offered is 502", async () => {
    using _ = quiet();
    await using proxy = await startProxyTo((socket, request) => socket.write(agree(request)));
    const head = `${HANDSHAKE}\nSec-WebSocket-Protocol: first, second`;
    expect(statusOf(await shake(proxy.url, head))).toBe(502);
  });
});

function never(): never {
  throw new Error("Expected a message.");
}
