import { describe, expect, jest } from "bun:test";
import type { Peer } from "../../../src/shared/api.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { type BackendServer, startBackend } from "../../support/backend-server.ts";
import { once as test } from "../../support/owner-test.ts";

const PEER: Peer = { address: "192.0.2.1", remoteAddress: "192.0.2.1", secure: false };

const forever = new Promise<void>(() => undefined);

/** Yields to the event loop, also while timers are fake. */
const { setImmediate } = globalThis;
const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A body that comes in pieces when it is asked for, and counts how often that was. */
function countedBody(pieces: Iterable<string> = []) {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.iterator]();
  const body = {
    pulls: 0,
    isCancelled: false,
    stream: new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          body.pulls += 1;
          const { value, done } = iterator.next();
          // Without more pieces it stays open, as that of a client who sends nothing.
          if (done) return forever;
          controller.enqueue(encoder.encode(value));
          return undefined;
        },
        cancel() {
          body.isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    ),
  };
  return body;
}

function send(
  { backend }: BackendServer,
  { cookies }: ApiClient,
  path: string,
  { stream }: ReturnType<typeof countedBody>,
  { peer = PEER, headers = {} }: { peer?: Peer; headers?: Record<string, string> } = {},
): Promise<Response> {
  const Cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  const token = { "X-XSRF-TOKEN": cookies.get("XSRF-TOKEN") ?? "" };
  const all = { Cookie, ...token, "Content-Type": "application/json", ...headers };
  const url = `http://localhost${path}`;
  return backend.fetch(new Request(url, { method: "POST", body: stream, headers: all }), peer);
}

describe("the body of a request", () => {
  test("is not touched before session and token are known", async (owner) => {
    const { server } = owner;
    const stranger = server.visitor();
    const forged = { headers: { "X-XSRF-TOKEN": "x" } };
    for (const path of ["/api/domains", "/api/domains/bulk", "/api/upload/post", "/api/imports"]) {
      const bodies = [countedBody(), countedBody()] as const;
      expect((await send(server, stranger, path, bodies[0])).status).toBe(401);
      expect((await send(server, owner, path, bodies[1], forged)).status).toBe(403);
      expect(bodies.map(({ pulls }) => pulls)).toEqual([0, 0]);
    }
    const body = countedBody();
    expect((await send(server, stranger, "/api/token", body)).status).toBe(403);
    expect(body.pulls).toBe(0);
  });

  test("has 15 seconds in all, however steadily it drips", async () => {
    await using server = await startBackend();
    const visitor = server.visitor();
    await visitor.request("/api/token");
    const body = countedBody(["{"]);
    jest.useFakeTimers();
    try {
      const answering = send(server, visitor, "/api/token", body);
      while (body.pulls < 2) await yieldToEventLoop();
      jest.advanceTimersByTime(15_000);
      const response = await answering;
      expect([response.status, response.headers.get("connection")]).toEqual([408, "close"]);
      expect(body.isCancelled).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  test("is cut off at the limit of its route", async (owner) => {
    function* endless() {
      for (;;) yield " ".repeat(8 * 1024);
    }
    for (const [path, pulls] of [
      ["/api/token", 3],
      ["/api/domains", 33],
      ["/api/domains/bulk", 129],
    ] as const) {
      const body = countedBody(endless());
      const { status, headers } = await send(owner.server, owner, path, body);
      expect([path, status, headers.get("connection")]).toEqual([path, 413, "close"]);
      expect([path, body.pulls, body.isCancelled]).toEqual([path, pulls, true]);
    }
  });

  test("is refused with 503 where the server holds too much, counted as it arrives", async (owner) => {
    const held: number[] = [];
    const hold = (bytes: number) => held.push(bytes) < 3;
    const body = countedBody(["{", '"name"', ":", "1"]);
    const peer = { ...PEER, hold };
    const { status, headers } = await send(owner.server, owner, "/api/domains", body, { peer });
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    expect(held).toEqual([1, 6, 1]);
  });
});
