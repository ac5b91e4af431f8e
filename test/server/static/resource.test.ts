import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import {
  addVariant,
  createResource,
  resourceResponse,
} from "../../../src/server/static/resource.ts";
import { type TestServer, startTestServer, smallSite } from "../../support/test-server.ts";
import { sendRaw, statusOf, values } from "../../support/raw-http.ts";

const TEXT = "0123456789".repeat(10);
const LARGE = 16_000_000;

let testServer: TestServer;

const noApi = {
  fetch: async () => new Response("api"),
  ready: async () => true as const,
  close: async () => undefined,
};

beforeAll(() => {
  const text = createResource(new TextEncoder().encode(TEXT), { "Content-Type": "text/plain" });
  addVariant(text, "gzip", Bun.gzipSync(TEXT));
  const large = createResource(new Uint8Array(LARGE).fill(7), { "Content-Type": "image/png" });
  const files = new Map([
    ["/text.txt", text],
    ["/large.png", large],
  ]);
  testServer = startTestServer(noApi, {
    site: { ...smallSite, find: async (path) => files.get(path) },
  });
});
afterAll(async () => testServer[Symbol.asyncDispose]());

const ask = (line: string, ...headers: string[]) =>
  sendRaw(testServer.url, [`${line} HTTP/1.1`, "Host: a", ...headers].join("\n"));

describe("resourceResponse: a part", () => {
  test("is what was asked for, and says of what", async () => {
    const answer = await ask("GET /text.txt", "Range: bytes=5-14");
    expect(statusOf(answer)).toBe(206);
    expect(answer.body.toString()).toBe("5678901234");
    expect(values(answer, "content-length")).toEqual(["10"]);
    expect(values(answer, "content-range")).toEqual(["bytes 5-14/100"]);
    expect(values(answer, "etag")).toEqual(values(await ask("GET /text.txt"), "etag"));
  });

  test("of a large body holds the right bytes", async () => {
    const answer = await ask("GET /large.png", `Range: bytes=${LARGE - 100_000}-`);
    expect(statusOf(answer)).toBe(206);
    expect(answer.body).toHaveLength(100_000);
    expect(values(answer, "content-range")).toEqual([
      `bytes ${LARGE - 100_000}-${LARGE - 1}/${LARGE}`,
    ]);
  });

  test("that does not exist is 416, with the size", async () => {
    const answer = await ask("GET /text.txt", "Range: bytes=100-");
    expect(statusOf(answer)).toBe(416);
    expect(values(answer, "content-range")).toEqual(["bytes */100"]);
  });

  test("is sent to who has part of the same copy, and the whole to anybody else", async () => {
    const [tag = ""] = values(await ask("GET /text.txt"), "etag");
    const range = "Range: bytes=0-1";
    expect(statusOf(await ask("GET /text.txt", range, `If-Range: ${tag}`))).toBe(206);
    for (const other of ['"other"', `W/${tag}`, "Sat, 21 Nov 2026 04:45:32 GMT"]) {
      const answer = await ask("GET /text.txt", range, `If-Range: ${other}`);
      expect(statusOf(answer)).toBe(200);
      expect(answer.body).toHaveLength(100);
    }
  });

  test("comes after the question whether the client has the whole already", async () => {
    const [tag = ""] = values(await ask("GET /text.txt"), "etag");
    const answer = await ask("GET /text.txt", "Range: bytes=0-1", `If-None-Match: ${tag}`);
    expect(statusOf(answer)).toBe(304);
  });

  test("is offered and sent of the plain body only, and to GET only", async () => {
    expect(values(await ask("GET /text.txt"), "accept-ranges")).toEqual(["bytes"]);
    const coded = await ask("GET /text.txt", "Accept-Encoding: gzip", "Range: bytes=0-1");
    expect(statusOf(coded)).toBe(200);
    expect(values(coded, "accept-ranges")).toEqual([]);
    const head = await ask("HEAD /text.txt", "Range: bytes=0-1");
    expect(statusOf(head)).toBe(200);
    expect(values(head, "content-length")).toEqual(["100"]);
  });

  test.each<[range: string, contentRange: string | null]>([
    ["bytes=0-0", "bytes 0-0/10"],
    ["bytes=0-9", "bytes 0-9/10"],
    ["bytes=5-", "bytes 5-9/10"],
    ["bytes=9-999999999999999999999", "bytes 9-9/10"],
    ["bytes=-3", "bytes 7-9/10"],
    ["bytes=-99", "bytes 0-9/10"],
    ["BYTES= 1-2 ", "bytes 1-2/10"],
    ["bytes=10-", "bytes */10"],
    ["bytes=99-100", "bytes */10"],
    ["bytes=-0", "bytes */10"],
    ["bytes=5-4", null],
    ["bytes=0-1,3-4", null],
    ["bytes=", null],
    ["bytes=-", null],
    ["bytes=a-b", null],
    ["bytes=-1-2", null],
    ["items=0-1", null],
  ])("of 10 bytes for %j is %j, and the whole where that is null", (range, contentRange) => {
    const resource = createResource(new Uint8Array(10), { "Content-Type": "image/png" });
    const request = new Request("http://a/x", { headers: { Range: range } });
    expect(resourceResponse(resource, request).headers.get("content-range")).toBe(contentRange);
  });

  test.each(["bytes=0-", "bytes=-1"])("of an empty body does not exist: %s", (range) => {
    const resource = createResource(new Uint8Array(), { "Content-Type": "image/png" });
    const request = new Request("http://a/x", { headers: { Range: range } });
    expect(resourceResponse(resource, request).status).toBe(416);
  });
});

describe("resourceResponse: slow readers", () => {
  test("share one body: 50 of 16 MB cost less than 100 MB", async () => {
    const slow = async () => {
      const { promise, resolve } = Promise.withResolvers<Socket>();
      const socket = connect(Number(new URL(testServer.url).port), "127.0.0.1");
      socket.once("data", () => {
        socket.pause();
        resolve(socket);
      });
      socket.write("GET /large.png HTTP/1.1\r\nHost: a\r\n\r\n");
      return promise;
    };
    (await slow()).destroy();
    Bun.gc(true);
    const idle = process.memoryUsage.rss();
    // Copies would be 800 MB.
    const sockets = await Promise.all(Array.from({ length: 50 }, slow));
    expect(process.memoryUsage.rss() - idle).toBeLessThan(100_000_000);
    for (const socket of sockets) socket.destroy();
  });
});
