import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { PROJECT } from "../support/server-process.ts";
import { openRaw } from "../support/raw-http.ts";

const SHUTDOWN = JSON.stringify(join(PROJECT, "src/server/lifecycle.ts"));

/** A process that ends as the server does, and breaks as it is asked to. */
const PROGRAM = `
  const { shutDownGracefully } = await import(${SHUTDOWN});
  const started = Promise.withResolvers();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch({ url }) {
      const path = new URL(url).pathname;
      if (path === "/reject") void Promise.reject(new Error("rejected behind"));
      if (path === "/throw") setTimeout(() => { throw new Error("thrown behind"); }, 50);
      if (path === "/slow") { started.resolve(); await Bun.sleep(400); }
      if (path === "/throw") await started.promise;
      return new Response("answered");
    },
  });
  shutDownGracefully({
    server,
    openConnections: { closeAll: () => undefined },
    api: { close: async () => console.log("closed") },
  });
  console.log(server.url.href);
`;

async function startProgram() {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], {
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env["PATH"] ?? "" },
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const url = new TextDecoder().decode(value).trim();
  return {
    url,
    child,
    async rest() {
      const [written, said] = [await reader.read(), await new Response(child.stderr).text()];
      return { written: new TextDecoder().decode(written.value), said, code: await child.exited };
    },
  };
}

describe("shutDownGracefully", () => {
  test("logs a rejection that nobody handled, and goes on", async () => {
    const { url, child, rest } = await startProgram();
    expect(await (await fetch(`${url}reject`)).text()).toBe("answered");
    expect(await (await fetch(url)).text()).toBe("answered");
    child.kill("SIGTERM");
    const { written, said, code } = await rest();
    expect(said).toContain("rejected behind");
    expect(written).toBe("closed\n");
    expect(code).toBe(0);
  });

  test("logs an exception that nobody caught, finishes what is in flight, and ends with 1", async () => {
    const { url, rest } = await startProgram();
    const answers = await Promise.all(
      ["throw", "slow"].map(async (path) => (await fetch(url + path)).text()),
    );
    expect(answers).toEqual(["answered", "answered"]);
    const { written, said, code } = await rest();
    expect(said).toContain("thrown behind");
    expect(written).toBe("closed\n");
    expect(code).toBe(1);
  });

  test("answers what was on its way at the signal, on connections that were idle until then", async () => {
    const { url, child, rest } = await startProgram();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openKept(url)));
    child.kill("SIGTERM");
    for (const { socket } of sockets) socket.write(REQUEST);
    await Promise.all(sockets.map(({ closed }) => closed));
    expect(sockets.map(({ answers }) => answers())).toEqual(sockets.map(() => 2));
    expect((await rest()).code).toBe(0);
  });
});

const REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/** A connection that has had one answer, and counts them. */
async function openKept(url: string) {
  let text = "";
  const socket = openRaw(url, REQUEST);
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  const answers = () => text.split("answered").length - 1;
  socket.on("data", (bytes) => (text += bytes.toString()));
  while (answers() < 1) await Bun.sleep(1);
  return { socket, closed, answers };
}
