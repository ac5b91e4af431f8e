import { describe, expect, test } from "bun:test";
import { createTimeouts } from "../../src/server/api-handler.ts";
import { readConfig } from "../../src/server/config/config.ts";
import { OpenConnections } from "../../src/server/open-connections.ts";
import { createRequestHandler } from "../../src/server/request-handler.ts";
import { startBackend } from "../support/backend-server.ts";
import { openRaw, parseMessage, readAll } from "../support/raw-http.ts";
import { smallSite, startProxyTo, startTestServer } from "../support/test-server.ts";
import { reply } from "../support/upstream.ts";

/** Bun's clock ticks every four seconds: whatever is over after one is over by then. */
const SHORT = { idle: 1, response: 255, upload: 255 };

/** Sends the chunks of a form with one file, one every half second, and reads the answer. */
async function uploadSlowly(url: string) {
  const head = ["Host: a", "Connection: close", "Transfer-Encoding: chunked"];
  head.push("Content-Type: multipart/form-data; boundary=b");
  const socket = openRaw(url, `POST /api/x HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`);
  const answer = readAll(socket);
  const file = 'Content-Disposition: form-data; name="file"; filename="f.csv"';
  const parts = [`--b\r\n${file}\r\n\r\n`, ..."12345678", "\r\n--b--\r\n"];
  for (const part of parts) {
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    await Bun.sleep(500);
  }
  socket.write("0\r\n\r\n");
  return parseMessage(await answer);
}

/** Asks, and once the answer is there begins a head that never ends. Resolves when it is cut. */
function drip(url: string, request: string): Promise<Buffer> {
  const socket = openRaw(url, request);
  let dripping: Timer | undefined;
  socket.once("data", () => {
    socket.write("GET /home HTTP/1.1\r\nHost: a\r\nX-A: ");
    dripping = setInterval(() => socket.write("a"), 200);
  });
  return readAll(socket).finally(() => clearInterval(dripping));
}

const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

// What takes seconds of waiting waits together.
describe.concurrent("createRequestHandler: timeouts", () => {
  test("lets an upload be slow, where Bun would cut it below 16 KB a second", async () => {
    await using proxy = await startProxyTo((socket) => socket.end(reply("all of it")), {
      timeouts: SHORT,
    });
    const answer = await uploadSlowly(proxy.url);
    expect(answer?.body.toString()).toBe("all of it");
    expect(proxy.requests[0]?.body.toString()).toContain("\r\n\r\n12345678\r\n--b--");
  });

  test("lets the embedded backend work for longer than a backend may be silent", async () => {
    await using server = await startBackend();
    const headers = (await server.owner()).ownHeaders();
    const timeouts = { ...SHORT, response: 1 };
    await using testServer = startTestServer(server.backend, { timeouts });
    const begun = Promise.withResolvers<void>();
    const written = server.write(async () => {
      begun.resolve();
      await Bun.sleep(9000);
    });
    await begun.promise;
    const answer = await fetch(`${testServer.url}/api/sample`, {
      method: "DELETE",
      headers,
      keepalive: false,
    });
    expect(answer.status).toBe(204);
    await written;
  });

  test.each([
    ["a file", get("/robots.txt")],
    ["a page", get("/home")],
    ["an answer of the backend", get("/api/x")],
    ["an upload", post("/api/x", "x".repeat(100_000))],
    ["a refusal", post("/home", "")],
    ["a refused WebSocket", get("/api/x", "Connection: upgrade\r\nUpgrade: websocket\r\n")],
  ])("cuts connections that drip the head of what follows %s", async (_, request) => {
    await using proxy = await startProxyTo((socket) => socket.write(reply()), { timeouts: SHORT });
    const cut = Array.from({ length: 10 }, () => drip(proxy.url, request));
    for (const bytes of await Promise.all(cut))
      expect(bytes.toString().match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(await (await fetch(`${proxy.url}/home`)).text()).toBe("<h1>Home</h1>");
  });
});

test("the embedded backend tells of each part of an upload, so that it is given more time", async () => {
  let told = Promise.withResolvers<void>();
  await using server = await startBackend({ peer: { refreshIdleTimer: () => told.resolve() } });
  const client = await server.owner();
  const head = 'Content-Disposition: form-data; name="file"; filename="f.csv"';
  const parts = [`--b\r\n${head}\r\n\r\n`, "name", "\r\n--b--\r\n"];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = parts.shift();
      if (part === undefined) return controller.close();
      told = Promise.withResolvers();
      controller.enqueue(new TextEncoder().encode(part));
      await told.promise;
    },
  });
  const headers = { "Content-Type": "multipart/form-data; boundary=b" };
  const answer = await client.request("/api/upload/post", { method: "POST", body, headers });
  expect(answer.status).toBe(201);
  expect(parts).toEqual([]);
});

describe("createRequestHandler: the timeout of a connection", () => {
  const text = "x".repeat(100);
  const lengthOf = (length: number) => ({ headers: { "Content-Length": String(length) } });
  const stream = () => new Response(new Blob([text]).stream());

  test.each([
    ["an answer that is whole", "", () => new Response(text, lengthOf(100)), [70, 15]],
    ["an answer without content", "", () => new Response(null, { status: 204 }), [70, 15]],
    ["a short upload", "x".repeat(4096), () => new Response(text, lengthOf(100)), [70, 15]],
    ["a long upload", "x".repeat(5000), () => new Response(text, lengthOf(100)), [70, 255, 15]],
    // Nobody tells when the last of a stream has been sent: it stays with what the stream was given.
    ["an answer that is streamed", "", stream, [70, 70]],
    ["one that may be, by its length", "", () => new Response(text, lengthOf(100_000)), [70, 70]],
    ["one that is streamed after a long upload", "x".repeat(5000), stream, [70, 255, 70]],
  ])("during and after %s", async (_, sent, answer, given) => {
    const seconds: number[] = [];
    const handle = createRequestHandler({
      site: smallSite,
      api: { fetch: async () => answer(), ready: async () => true, close: async () => undefined },
      timeouts: createTimeouts({ upstreamTimeout: 60, trustProxy: false }),
      openConnections: new OpenConnections(),
      allowsHost: null,
      config: readConfig({}),
      metrics: null,
      observers: [],
    });
    const headers = { Host: "a", "Content-Length": String(sent.length) };
    await handle(new Request("http://a/api/x", { method: "POST", headers, body: sent }), {
      requestIP: () => null,
      timeout: (_request, time) => void seconds.push(time),
      upgrade: () => false,
    });
    expect(seconds).toEqual(given);
  });
});

describe("createTimeouts", () => {
  test("has 20 seconds at most for who drips, with the four that Bun may add, unless a proxy in front keeps its connections", () => {
    for (const upstreamTimeout of [1, 60, 240]) {
      const { idle, response, upload } = createTimeouts({ upstreamTimeout, trustProxy: false });
      expect(idle + 4).toBeLessThan(20);
      expect(response).toBeGreaterThan(upstreamTimeout);
      expect(Math.max(response, upload)).toBeLessThanOrEqual(255);
    }
    const { idle, response } = createTimeouts({ upstreamTimeout: 60, trustProxy: true });
    expect(idle).toBe(response);
  });
});
