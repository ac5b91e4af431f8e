import { describe, expect, test } from "bun:test";
import {
  acceptsHtml,
  addVariant,
  chooseCoding,
  CODINGS,
  type Coding,
  createResource,
} from "../../../src/server/static/resource.ts";
import { forAll } from "../../support/for-all.ts";
import { openRaw, sendRaw, statusOf, values } from "../../support/raw-http.ts";
import { smallSite, startTestServer } from "../../support/test-server.ts";

const everything = new Set<Coding>(CODINGS);

describe("chooseCoding", () => {
  test.each<[header: string | null, chosen: Coding | null]>([
    [null, "identity"],
    ["", "identity"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate, zstd", "zstd"],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["GZIP", "gzip"],
    ["br;q=0.1, gzip;q=0.9", "gzip"],
    ["br;q=0.5, gzip;q=0.5", "br"],
    ["gzip;q=0", "identity"],
    ["br;q=0, *", "zstd"],
    ["*", "br"],
    ["*;q=0", null],
    ["*;q=0, gzip", "gzip"],
    ["*;q=0, identity", "identity"],
    ["identity", "identity"],
    ["identity;q=0", null],
    ["identity;q=0, gzip;q=0.001", "gzip"],
    ["identity, gzip;q=0.5", "identity"],
    ["deflate, compress", "identity"],
    ["gzip ; q=0.3 , zstd ; q=0.2", "gzip"],
    ["gzip;q=2, zstd;q=0.1", "zstd"],
    ["gzip;q=nonsense", "identity"],
  ])("%j → %j", (header, chosen) => {
    expect(chooseCoding(header, everything)).toBe(chosen);
  });

  test("chooses among those that are ready", () => {
    expect(chooseCoding("br, gzip", new Set<Coding>(["identity", "gzip"]))).toBe("gzip");
    expect(chooseCoding("identity;q=0, br", new Set<Coding>(["identity"]))).toBeNull();
  });
});

test.each([null, "*/*", "text/*", "TEXT/HTML", "application/xhtml+xml", "text/html;q=0.1"])(
  "acceptsHtml takes %j",
  (header) => expect(acceptsHtml(header)).toBe(true),
);

test.each(["application/json", "image/*", "text/css,*/*;q=0", "text/html;q=0, */*"])(
  "acceptsHtml refuses %j",
  (header) => expect(acceptsHtml(header)).toBe(false),
);

const TEXT = "0123456789".repeat(10);
const LARGE = 16_000_000;

const testServer = forAll(() => {
  const text = createResource(new TextEncoder().encode(TEXT), { "Content-Type": "text/plain" });
  addVariant(text, "gzip", Bun.gzipSync(TEXT));
  const large = createResource(new Uint8Array(LARGE).fill(7), { "Content-Type": "image/png" });
  const files = new Map([
    ["/text.txt", text],
    ["/large.png", large],
  ]);
  const site = { ...smallSite, find: async (path: string) => files.get(path) };
  return startTestServer({}, { site });
});

const ask = (line: string, ...headers: string[]) =>
  sendRaw(testServer().url, [`${line} HTTP/1.1`, "Host: a", ...headers].join("\n"));

test("resourceResponse sends the whole to who asks for a part", async () => {
  for (const line of ["GET /text.txt", "GET /large.png"]) {
    const answer = await ask(line, "Range: bytes=5-14");
    expect(statusOf(answer)).toBe(200);
    expect(values(answer, "accept-ranges")).toEqual([]);
    expect(values(answer, "content-length")).toEqual([String(answer.body.length)]);
  }
});

test("resourceResponse: slow readers share one body: 50 of 16 MB cost less than 100 MB", async () => {
  const slow = async () => {
    const socket = openRaw(testServer().url, "GET /large.png HTTP/1.1\r\nHost: a\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    return socket.pause();
  };
  (await slow()).destroy();
  Bun.gc(true);
  const idle = process.memoryUsage.rss();
  // Copies would be 800 MB.
  const sockets = await Promise.all(Array.from({ length: 50 }, slow));
  expect(process.memoryUsage.rss() - idle).toBeLessThan(100_000_000);
  for (const socket of sockets) socket.destroy();
});
