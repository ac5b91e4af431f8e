import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { addVariant, createResource } from "../../../src/server/static/resource.ts";
import { type Door, openDoor, smallSite } from "../../support/front-door.ts";
import { sendRaw, statusOf, values } from "../../support/raw-http.ts";

const TEXT = "0123456789".repeat(10);
const LARGE = 16_000_000;

let door: Door;

const noApi = {
  fetch: async () => new Response("api"),
  ready: async () => true,
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
  door = openDoor(noApi, { site: { ...smallSite, find: (path) => files.get(path) } });
});
afterAll(async () => door[Symbol.asyncDispose]());

const ask = (line: string, ...headers: string[]) =>
  sendRaw(door.url, [`${line} HTTP/1.1`, "Host: a", ...headers].join("\n"));

describe("answerWith: a part", () => {
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

  test.each(["bytes=0-1,4-5", "bytes=x", "lines=1-2"])("is the whole for %s", async (range) => {
    const answer = await ask("GET /text.txt", `Range: ${range}`);
    expect(statusOf(answer)).toBe(200);
    expect(answer.body).toHaveLength(100);
  });
});

describe("answerWith: slow readers", () => {
  test("share one body: 50 of 16 MB cost less than 100 MB", async () => {
    const slow = async () => {
      const { promise, resolve } = Promise.withResolvers<Socket>();
      const socket = connect(Number(new URL(door.url).port), "127.0.0.1");
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
