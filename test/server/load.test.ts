import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import { startServer } from "../support/server-process.ts";

setDefaultTimeout(30_000);

describe("server.ts under load", () => {
  test.skipIf(Bun.which("prlimit") === null)(
    "answers again once it has run out of descriptors and some are free",
    async () => {
      await using server = await startServer({ LOG: "quiet" });
      const limit = ["prlimit", "--pid", String(server.pid), "--nofile=100:100"];
      expect(await Bun.spawn(limit).exited).toBe(0);
      const port = Number(new URL(server.url).port);
      const sockets = Array.from({ length: 300 }, () => {
        const socket = connect(port, "127.0.0.1");
        socket.on("error", () => undefined);
        return socket;
      });
      await Bun.sleep(300);
      for (const socket of sockets) socket.destroy();
      const answer = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(15_000) });
      expect(await answer.text()).toBe("up\n");
      expect(await server.stop()).toBe(0);
    },
  );

  test("cuts no request on SIGTERM, and ends with 0", async () => {
    const backend = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const body = await request.text();
        await Bun.sleep(20);
        return new Response(`whole ${body}`);
      },
    });
    await using server = await startServer({ BACKEND_URL: backend.url.href, LOG: "quiet" });
    const load = { stopping: false, answered: 0 };
    const cut: string[] = [];
    const client = async (name: number) => {
      while (!load.stopping) {
        const path = name % 2 === 0 ? "/home" : "/api/x";
        try {
          const post = { method: "POST", body: "body" };
          const response = await fetch(server.url + path, name % 2 === 0 ? {} : post);
          const text = await response.text();
          if (name % 2 === 0 ? !text.includes("</html>") : text !== "whole body") cut.push(text);
          load.answered++;
        } catch (error) {
          // Refused: it found nobody any more, and nothing of it was taken.
          if (!String(error).includes("ECONNREFUSED")) cut.push(String(error));
        }
      }
    };
    const clients = Array.from({ length: 20 }, (_, name) => client(name));
    while (load.answered < 200) await Bun.sleep(10);
    load.stopping = true;
    const code = await server.stop("SIGTERM");
    await Promise.all(clients);
    expect(cut).toEqual([]);
    expect(code).toBe(0);
    await backend.stop(true);
  });
});
