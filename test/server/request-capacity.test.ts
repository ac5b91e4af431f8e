import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { startServer } from "../support/server-process.ts";
import { reply, startUpstream } from "../support/upstream.ts";

setDefaultTimeout(20_000);

const EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";

/** A backend whose streams begin with a comment and then say nothing. */
const startQuietStreams = () =>
  startUpstream((socket, { start }) => {
    if (start.includes("/api/events")) socket.write(`${EVENTS}: hello\n\n`);
    else socket.end(reply("answered"));
  });

/** Opens an event stream and waits for its first byte. */
async function openStream(url: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.once("data", () => resolve());
  socket.on("error", reject);
  socket.write("GET /api/events HTTP/1.1\r\nHost: a\r\n\r\n");
  await promise;
  return socket;
}

/** What the process itself was started with, as the system knows it. */
const environmentOf = (pid: number) => readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");

describe("raiseRequestCapacity", () => {
  test("lets 300 quiet event streams hold up nobody", async () => {
    await using upstream = await startQuietStreams();
    await using server = await startServer({ BACKEND_URL: upstream.url, LOG: "quiet" });
    const streams = await Promise.all(Array.from({ length: 300 }, () => openStream(server.url)));
    const answer = await fetch(`${server.url}/api/other`);
    expect(await answer.text()).toBe("answered");
    expect(upstream.connections()).toBeGreaterThanOrEqual(300);
    for (const stream of streams) stream.destroy();
    while (upstream.connections() > 1) await Bun.sleep(10);
  });

  test.skipIf(process.platform !== "linux")(
    "starts anew under the same pid, and not where the limit is set or nothing is proxied",
    async () => {
      await using raised = await startServer({ BACKEND_URL: "http://127.0.0.1:9" });
      expect(environmentOf(raised.pid)).toContain("BUN_CONFIG_MAX_HTTP_REQUESTS=65535");
      expect(await raised.stop()).toBe(0);
      const own = { BACKEND_URL: "http://127.0.0.1:9", BUN_CONFIG_MAX_HTTP_REQUESTS: "99" };
      await using chosen = await startServer(own);
      expect(environmentOf(chosen.pid)).toContain("BUN_CONFIG_MAX_HTTP_REQUESTS=99");
      await using embedded = await startServer();
      expect(environmentOf(embedded.pid).join()).not.toContain("MAX_HTTP_REQUESTS");
    },
  );
});
