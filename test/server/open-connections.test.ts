import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { OpenConnections } from "../../src/server/open-connections.ts";
import { parseMessage, RAW_HANDSHAKE } from "../support/raw-http.ts";
import { startServer } from "../support/server-process.ts";
import { startSocketBackend } from "../support/socket-backend.ts";
import { openSocket } from "../support/socket-client.ts";
import { startUpstream } from "../support/upstream.ts";

/** A connection that sends bytes and then only listens; `heard` resolves with the first that come. */
function open(url: string, bytes: string) {
  // It does not even answer the end of the other side.
  const socket = connect({
    port: Number(new URL(url).port),
    host: "127.0.0.1",
    allowHalfOpen: true,
  });
  const received: Buffer[] = [];
  const heard = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<Buffer>();
  socket.on("data", (data) => {
    received.push(Buffer.from(data));
    heard.resolve();
  });
  socket.on("error", () => undefined);
  socket.on("end", () => closed.resolve(Buffer.concat(received)));
  socket.write(bytes);
  return { socket, heard: heard.promise, closed: closed.promise };
}

test("OpenConnections closes each one once, and at once what is added later", () => {
  const openConnections = new OpenConnections();
  const ended: string[] = [];
  openConnections.add(() => void ended.push("one"));
  const remove = openConnections.add(() => void ended.push("gone"));
  remove();
  openConnections.closeAll();
  openConnections.add(() => void ended.push("late"));
  openConnections.closeAll();
  expect(ended).toEqual(["one", "late"]);
});

describe("server.ts: the end", () => {
  test("closes WebSockets with 1001, both ways, and waits for no client that is silent", async () => {
    await using backend = startSocketBackend();
    await using server = await startServer({ BACKEND_URL: backend.url });
    const { closed } = await openSocket(`${server.url}/api/socket`);
    const silent = open(server.url, RAW_HANDSHAKE);
    await silent.heard;
    expect(await server.stop("SIGTERM")).toBe(0);
    expect(await closed).toEqual({ code: 1001, reason: "The server is going away." });
    await backend.saw("close 1001 The server is going away.");
    expect((await silent.closed).toString()).toStartWith("HTTP/1.1 101 ");
  });

  test("ends event streams as if they were over", async () => {
    await using upstream = await startUpstream((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n"),
    );
    await using server = await startServer({ BACKEND_URL: upstream.url });
    const stream = open(server.url, "GET /api/events HTTP/1.1\r\nHost: a\r\n\r\n");
    await stream.heard;
    const exited = server.stop("SIGTERM");
    const ended = parseMessage(await stream.closed);
    expect(ended?.body.toString()).toBe("data: 1\n\n");
    expect(ended?.complete).toBe(true);
    expect(await exited).toBe(0);
    expect(server.output()).not.toContain("failed");
  });
});
