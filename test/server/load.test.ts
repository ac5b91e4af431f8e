import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import type { Socket } from "node:net";
import { createApiClient } from "../support/api-client.ts";
import { openRaw } from "../support/raw-http.ts";
import { startUpstream } from "../support/upstream.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

/** Opens connections on which no more comes than the byte without which none is accepted for a second. */
function openIdle({ url }: ServerProcess, count: number): Socket[] {
  return Array.from({ length: count }, () => openRaw(url, "G"));
}

/** How many descriptors a process has open, as Linux knows it. */
async function countDescriptors({ pid }: ServerProcess): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

describe("server.ts under load", () => {
  test.skipIf(Bun.which("prlimit") === null)(
    "answers again once it has run out of descriptors and some are free",
    async () => {
      await using server = await startServer({ LOG: "quiet" });
      const limit = ["prlimit", "--pid", String(server.pid), "--nofile=100:100"];
      expect(await Bun.spawn(limit).exited).toBe(0);
      const sockets = openIdle(server, 300);
      while ((await countDescriptors(server)) < 95) await Bun.sleep(10);
      const unanswered = fetch(`${server.url}/healthz`).catch(() => null);
      for (const socket of sockets) socket.destroy();
      await unanswered;
      const answer = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(25_000) });
      expect(await answer.text()).toBe("up\n");
      expect(await server.stop()).toBe(0);
    },
  );

  test("answers others beside a client that sends a chunk for each byte", async () => {
    await using upstream = await startUpstream(() => undefined);
    await using server = await startServer({ BACKEND_URL: upstream.url, LOG: "quiet" });
    const head = "POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    const flood = openRaw(server.url, head);
    const chunks = "1\r\nx\r\n".repeat(10_000);
    const send = () => {
      while (flood.writable && flood.write(chunks));
    };
    flood.on("drain", send);
    send();
    while (flood.bytesWritten < 4_000_000) await Bun.sleep(1);
    for (let count = 0; count < 3; count++) {
      const answer = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(25_000) });
      expect(await answer.text()).toBe("up\n");
    }
    flood.destroy();
    expect(await server.stop()).toBe(0);
  });

  test("holds the unfinished uploads of a client to 32 MB, until they end", async () => {
    await using server = await startServer({ LOG: "quiet" });
    const client = createApiClient(server.url);
    await client.setUp(server.setUpCode());
    const { host } = new URL(server.url);
    const own = Object.entries(client.ownHeaders()).map((pair) => pair.join(": "));
    const head =
      `POST /api/upload/post HTTP/1.1\r\nHost: ${host}\r\n${own.join("\r\n")}\r\nContent-Length: 900000\r\n` +
      "Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n" +
      'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
    const answers: string[] = [];
    // A part has 256 KB, so that 128 of them fit.
    const sockets = Array.from({ length: 160 }, () => {
      const socket = openRaw(server.url, head + "x".repeat(300_000));
      return socket.once("data", (bytes: Buffer) =>
        answers.push(bytes.toString().split("\r\n", 1)[0] ?? ""),
      );
    });
    while (answers.length < 32) await Bun.sleep(10);
    expect(new Set(answers)).toEqual(new Set(["HTTP/1.1 503 Service Unavailable"]));
    for (const socket of sockets) socket.destroy();
    const upload = async () => {
      const body = new FormData();
      body.set("file", new Blob(["x".repeat(300_000)]), "a.csv");
      return (await client.request("/api/upload/post", { method: "POST", body })).status;
    };
    while ((await upload()) === 503) await Bun.sleep(10);
    expect(await upload()).toBe(201);
  });
});
