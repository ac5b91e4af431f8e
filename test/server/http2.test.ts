import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from "node:http2";
import { gunzipSync } from "node:zlib";
import { pem, type ServerProcess, startServer, TLS } from "../support/server-process.ts";

/** What the backend was told of requests that were called off. */
const left: string[] = [];
const started = new Map<string, () => void>();
const encoder = new TextEncoder();

const backend = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 60,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    request.signal.addEventListener("abort", () => left.push(pathname));
    started.get(pathname)?.();
    if (pathname === "/api/events") return new Response(events(), { headers: EVENTS });
    if (pathname.startsWith("/api/never")) return new Promise<Response>(() => undefined);
    const body = await request.bytes();
    const hash = new Bun.CryptoHasher("sha256").update(body).digest("hex");
    const { method, headers } = request;
    return Response.json({ method, pathname, bytes: body.length, hash, host: headers.get("host") });
  },
});
const EVENTS = { "Content-Type": "text/event-stream" };
let sendEvent: (text: string) => void = () => undefined;

function events(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      sendEvent = (text) => controller.enqueue(encoder.encode(`data: ${text}\n\n`));
      sendEvent("first");
    },
  });
}

let server: ServerProcess;
let session: ClientHttp2Session;

beforeAll(async () => {
  server = await startServer({ ...TLS, BACKEND_URL: backend.url.href });
  session = connect(server.url, { ca: await Bun.file(pem("cert.pem")).text() });
});
afterAll(async () => {
  session.destroy();
  await server[Symbol.asyncDispose]();
  await backend.stop(true);
});

/** Opens a stream; its head resolves with the status and headers of the answer. */
function open(headers: OutgoingHttpHeaders, body?: Uint8Array | string, on = session) {
  const stream = on.request(headers, { endStream: body === undefined });
  const head = Promise.withResolvers<Record<string, unknown>>();
  stream.on("response", (answered) => head.resolve(answered));
  stream.on("error", (error) => head.reject(error));
  if (body) stream.end(body);
  return { stream, head: head.promise };
}

async function ask(headers: OutgoingHttpHeaders, content?: Uint8Array) {
  const { stream, head } = open(headers, content);
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve) => stream.on("end", () => resolve()));
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const answered = await head;
  await ended;
  return { status: answered[":status"], headers: answered, body: Buffer.concat(chunks) };
}

const waitFor = (path: string) =>
  new Promise<void>((resolve) => started.set(path, () => resolve()));

describe("server.ts over HTTP/2", () => {
  test("sends the page with the headers that it has over HTTP/1.1", async () => {
    const answer = await ask({ ":path": "/home", "accept-encoding": "gzip" });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(answer.body).toString()).toContain('<div id="root">');
    expect(answer.headers["content-security-policy"]).toStartWith("default-src 'none'");
    expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000");
    for (const name of ["connection", "transfer-encoding", "keep-alive"])
      expect(answer.headers[name]).toBeUndefined();
  });

  test("has no body for HEAD, nor for who has the page", async () => {
    const get = await ask({ ":path": "/robots.txt" });
    const head = await ask({ ":path": "/robots.txt", ":method": "HEAD" });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ["content-length", "content-type", "etag"])
      expect(head.headers[name]).toBe(get.headers[name]);
    const tag = String(get.headers["etag"]);
    const again = await ask({ ":path": "/robots.txt", "if-none-match": tag });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test("refuses what it refuses over HTTP/1.1", async () => {
    expect((await ask({ ":path": "/home", ":method": "DELETE" })).status).toBe(405);
    expect((await ask({ ":path": "/home", ":method": "TRACE" })).status).toBe(405);
    expect((await ask({ ":path": "/nothing.js" })).status).toBe(404);
    // A stream that is reset is refused as well.
    const confused = ask({ ":path": "/home", "content-length": "1, 1" });
    expect(await confused.catch(() => ({ status: 400 }))).toMatchObject({ status: 400 });
  });

  test("passes an upload on, byte for byte", async () => {
    const body = randomBytes(1_000_000);
    const headers = { ":path": "/api/upload/post", ":method": "POST" };
    const answer = await ask(headers, body);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      method: "POST",
      pathname: "/api/upload/post",
      bytes: body.length,
      hash: new Bun.CryptoHasher("sha256").update(body).digest("hex"),
    });
  });

  test("keeps what leaves /api/ out of it", async () => {
    for (const path of ["/api/../x", "/api/%2e%2e/x", "/apix"])
      expect((await ask({ ":path": path, accept: "application/json" })).status).toBe(404);
    expect((await ask({ ":path": "/x/../api/y" })).status).toBe(200);
  });

  test("hands on each event as it comes, beside other requests", async () => {
    const { stream, head } = open({ ":path": "/api/events" });
    let text = "";
    let heard = Promise.withResolvers<void>();
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      heard.resolve();
    });
    expect((await head)["content-type"]).toBe("text/event-stream");
    await heard.promise;
    for (const name of ["second", "third"]) {
      expect((await ask({ ":path": "/healthz" })).status).toBe(200);
      heard = Promise.withResolvers();
      sendEvent(name);
      await heard.promise;
    }
    expect(text.replaceAll(":\n\n", "")).toBe("data: first\n\ndata: second\n\ndata: third\n\n");
    stream.close(constants.NGHTTP2_CANCEL);
    while (!left.includes("/api/events")) await Bun.sleep(5);
  });

  test("answers many requests on one connection, each with what it asked for", async () => {
    const asked = Array.from({ length: 100 }, async (_, at) => {
      if (at % 2 === 0) return (await ask({ ":path": "/robots.txt" })).body.toString();
      const body = encoder.encode("x".repeat(at * 100));
      const answer = await ask({ ":path": `/api/${at}`, ":method": "POST" }, body);
      const { pathname, bytes }: { pathname: string; bytes: number } = JSON.parse(
        answer.body.toString(),
      );
      return `${pathname} ${bytes}`;
    });
    const robots = await Bun.file("public/robots.txt").text();
    expect(await Promise.all(asked)).toEqual(
      Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? robots : `/api/${at} ${at * 100}`)),
    );
  });

  test("tells the backend when one stream is reset, and no other one suffers", async () => {
    const reached = ["/api/never1", "/api/never2"].map(waitFor);
    const [one, other] = ["/api/never1", "/api/never2"].map((path) => open({ ":path": path }));
    one?.head.catch(() => undefined);
    other?.head.catch(() => undefined);
    await Promise.all(reached);
    one?.stream.close(constants.NGHTTP2_CANCEL);
    while (!left.includes("/api/never1")) await Bun.sleep(5);
    expect(left).not.toContain("/api/never2");
    expect((await ask({ ":path": "/api/after" })).status).toBe(200);
    other?.stream.close(constants.NGHTTP2_CANCEL);
    while (!left.includes("/api/never2")) await Bun.sleep(5);
  });
});

test("limits a body of unknown length over HTTP/2, where nothing announces it", async () => {
  await using register = await startServer(TLS);
  const client = connect(register.url, { ca: await Bun.file(pem("cert.pem")).text() });
  const path = { ":path": "/api/token" };
  const first = await open(path, undefined, client).head;
  const cookies = [first["set-cookie"]].flat().map((line) => String(line).split(";", 1)[0]);
  const token = cookies.find((pair) => pair?.startsWith("XSRF-TOKEN="))?.slice(11) ?? "";
  const headers = { ":method": "POST", "content-type": "application/json" };
  const own = { cookie: cookies.join("; "), "x-xsrf-token": token };
  const body = JSON.stringify("x".repeat(300_000));
  const answer = await open({ ...path, ...headers, ...own }, body, client).head;
  expect(answer[":status"]).toBe(413);
  client.destroy();
});

// What Bun 1.4.5 does otherwise than it should: this fails on the day it does better.
test("limit of Bun: offers no WebSockets over HTTP/2 (RFC 8441)", async () => {
  await ask({ ":path": "/healthz" });
  expect(session.remoteSettings.enableConnectProtocol ?? false).toBe(false);
});
