import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { memoryDuring } from "../../support/resident-memory.ts";
import { startServer } from "../../support/server-process.ts";
import { openRaw } from "../../support/raw-http.ts";
import { startTcpServer } from "../../support/tcp-server.ts";

const MEGABYTE = 1_048_576;
const CHUNK = Buffer.alloc(65_536, "x");

/** A backend that counts what it is sent and never keeps it, and that can send without end. */
async function startSink() {
  let received = 0;
  let sent = 0;
  const server = await startTcpServer((socket) => {
    let head = "";
    socket.on("data", (data) => {
      if (head.includes("\r\n\r\n")) received += data.length;
      else head += data.toString("latin1");
      if (head.startsWith("GET /api/endless ")) {
        head = "";
        socket.write(
          "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 300000000\r\n\r\n",
        );
        const more = () => {
          while (sent < 300_000_000) {
            sent += CHUNK.length;
            if (!socket.write(CHUNK)) return void socket.once("drain", more);
          }
        };
        more();
      }
    });
  });
  return { ...server, received: () => received, sent: () => sent };
}

/** Writes as fast as the other side takes it. */
async function pour(socket: Socket, megabytes: number, frame: (chunk: Buffer) => Buffer) {
  const chunk = frame(CHUNK);
  for (let count = 0; count < megabytes * 16; count++) {
    if (!socket.write(chunk)) await new Promise((resolve) => socket.once("drain", resolve));
  }
}

describe.skipIf(process.platform !== "linux")("createProxy: long bodies", () => {
  test.each([
    ["of known length", `Content-Length: ${96 * MEGABYTE}`, (chunk: Buffer) => chunk],
    [
      "in chunks",
      "Transfer-Encoding: chunked",
      (chunk: Buffer) => Buffer.concat([Buffer.from("10000\r\n"), chunk, Buffer.from("\r\n")]),
    ],
  ])("an upload of 96 MB %s is not kept in memory", async (_, framing, frame) => {
    await using sink = await startSink();
    await using server = await startServer({ BACKEND_URL: sink.url, LOG: "quiet" });
    const socket = openRaw(server.url, `POST /api/x HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n`);
    // What the machinery itself needs once is not what an upload costs.
    await pour(socket, 16, frame);
    const cost = await memoryDuring(server.pid, async () => {
      await pour(socket, 80, frame);
      while (sink.received() < 95 * MEGABYTE) await Bun.sleep(10);
    });
    // 20 to 45 MB, by when garbage is collected; a body that is kept costs all of its bytes.
    expect(cost).toBeLessThan(64 * MEGABYTE);
    socket.destroy();
  });

  test("a download of 300 MB that nobody reads costs less than 40 MB", async () => {
    await using sink = await startSink();
    await using server = await startServer({ BACKEND_URL: sink.url, LOG: "quiet" });
    await fetch(`${server.url}/home`);
    const socket = openRaw(server.url, "");
    const cost = await memoryDuring(server.pid, async () => {
      socket.write("GET /api/endless HTTP/1.1\r\nHost: a\r\n\r\n");
      await new Promise((resolve) => socket.once("data", resolve));
      socket.pause();
      for (let before = -1; before !== sink.sent();) {
        before = sink.sent();
        await Bun.sleep(200);
      }
    });
    expect(sink.sent()).toBeLessThan(100_000_000);
    expect(cost).toBeLessThan(40 * MEGABYTE);
    socket.destroy();
  });
});
