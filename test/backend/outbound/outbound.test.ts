import { afterAll, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { createAddressRule } from "../../../src/backend/outbound/addresses.ts";
import {
  createOutbound,
  type Outbound,
  type OutboundError,
} from "../../../src/backend/outbound/outbound.ts";
import { createResolver } from "../../../src/backend/outbound/resolver.ts";
import { failedCheck } from "../../../src/backend/checks/check-result.ts";
import { checkWeb } from "../../../src/backend/checks/web.ts";
import { askRdap } from "../../../src/backend/checks/rdap.ts";
import { startDnsServer } from "../../support/dns-server.ts";
import { selfSigned } from "../../support/certificate.ts";
import { startTcpServer } from "../../support/tcp-server.ts";

type RequestOptions = Parameters<Outbound["request"]>[1];

const signal = new AbortController().signal;
const open = new DisposableStack();
afterAll(() => open.dispose());

/** An outbound whose resolver knows these addresses and that may connect to these networks. */
async function outboundTo(
  names: Readonly<Record<string, readonly string[]>>,
  { allow = ["127.0.0.0/8"], ports = [] }: { allow?: string[]; ports?: number[] | "any" } = {},
) {
  const dns = await startDnsServer((query) => {
    const { name = "", type = "A" } = query.questions?.[0] ?? {};
    const known = names[name.toLowerCase()];
    if (known === undefined) return { rcode: 3 };
    if (type !== "A") return {};
    return { answers: known.map((data) => ({ type: "A" as const, name, data, ttl: 0 })) };
  });
  open.use(dns);
  const resolver = createResolver([dns.server]);
  return createOutbound({ resolver, mayConnect: createAddressRule(allow), ports });
}

const failureOf = (asked: Promise<unknown>) =>
  asked.then(
    () => "answered",
    (error: OutboundError) => error.failure,
  );

const greet = (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n");

const LIMITS = { timeoutMs: 500, maxBytes: 1_000, signal };

/** Asks a web server of this test, which gets each connection once a request has come. */
async function askWeb(answer: (socket: Socket) => unknown, options: Partial<RequestOptions> = {}) {
  using server = await startTcpServer((socket) => socket.once("data", () => answer(socket)));
  const outbound = await outboundTo({ "web.test": ["127.0.0.1"] }, { ports: [server.port] });
  const url = new URL(`http://web.test:${server.port}/`);
  return await outbound.request(url, { ...LIMITS, ...options });
}

describe("createOutbound", () => {
  test("opens no socket to a private address, by name or by number", async () => {
    using silent = await startTcpServer(greet);
    const { port } = silent;
    const outbound = await outboundTo(
      { "inside.test": ["127.0.0.1"] },
      { allow: [], ports: [port] },
    );
    for (const host of ["inside.test", "127.0.0.1", "[::ffff:127.0.0.1]", "2130706433"]) {
      const url = new URL(`http://${host}:${port}/`);
      expect(await failureOf(outbound.request(url, LIMITS))).toBe("blocked");
    }
    expect(await failureOf(outbound.connect("inside.test", port, LIMITS))).toBe("blocked");
    expect(silent.count()).toBe(0);
  });

  test("tries the public address of a name that also points to a private one", async () => {
    using inside = await startTcpServer(greet, { host: "127.0.0.2" });
    const names = { "rebound.test": ["127.0.0.2", "127.0.0.3"] };
    const outbound = await outboundTo(names, { allow: ["127.0.0.3/32"], ports: [inside.port] });
    // Nothing listens at the allowed one: the other is not tried instead.
    const url = new URL(`http://rebound.test:${inside.port}/`);
    expect(await failureOf(outbound.request(url, LIMITS))).toBe("unreachable");
    expect(inside.count()).toBe(0);
    expect(await outbound.locate("rebound.test", signal)).toMatchObject({
      addresses: ["127.0.0.3"],
      refused: ["127.0.0.2"],
    });
  });

  test("tries the next address of a name, but sends no POST twice", async () => {
    using reset = await startTcpServer((socket) => socket.once("data", () => socket.destroy()));
    const { port } = reset;
    const answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    using second = await startTcpServer((socket) => socket.once("data", () => socket.end(answer)), {
      host: "127.0.0.2",
      port,
    });
    const names = {
      "both.test": ["127.0.0.1", "127.0.0.2"],
      "down.test": ["127.0.0.3", "127.0.0.2"],
    };
    const outbound = await outboundTo(names, { ports: [port] });
    const url = (host: string) => new URL(`http://${host}:${port}/`);
    const post = { ...LIMITS, method: "POST" as const, body: "x" };
    expect(await failureOf(outbound.request(url("both.test"), post))).toBe("unreachable");
    expect(second.count()).toBe(0);
    expect(await outbound.request(url("both.test"), LIMITS)).toMatchObject({ status: 200 });
    expect(await outbound.request(url("down.test"), post)).toMatchObject({ status: 200 });
  });

  test("refuses ports that are of no protocol of the checks, unless they are configured", async () => {
    using server = await startTcpServer((socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
    const url = new URL(`http://web.test:${server.port}/`);
    const names = { "web.test": ["127.0.0.1"] };
    const strict = await outboundTo(names);
    expect(await failureOf(strict.request(url, LIMITS))).toBe("blocked");
    expect(server.count()).toBe(0);
    const configured = await outboundTo(names, { ports: [server.port] });
    expect(await configured.request(url, LIMITS)).toMatchObject({ status: 204 });
  });

  test.each<[string, string, string]>([
    ["garbage instead of HTTP", "malformed", "220 mail.test ESMTP\r\n\r\n"],
    ["nothing", "unreachable", ""],
    ["a body that is too long", "too-large", `HTTP/1.1 200 OK\r\n\r\n${"x".repeat(2_000)}`],
    [
      "a body that is cut",
      "unreachable",
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
    ],
  ])("tells %s apart", async (_name, failure, bytes) => {
    expect(await failureOf(askWeb((socket) => socket.end(bytes)))).toBe(failure);
  });

  test.each<[string, (socket: Socket) => void]>([
    ["long", (socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(2_000)}`)],
    ["late", (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nxx")],
    ["cut off", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nxx")],
  ])("returns what has come of a body that is %s, where a part will do", async (_name, answer) => {
    const { status, body } = await askWeb(answer, { partial: true });
    expect(status).toBe(200);
    expect(body).toMatch(/^x{2,1000}$/);
  });

  test.each<[string, string, Uint8Array]>([
    ["answered", "gzip", gzipSync("x".repeat(900))],
    ["answered", "BR", brotliCompressSync("x".repeat(900))],
    ["answered", "deflate", deflateSync("x".repeat(900))],
    ["answered", "gzip", Buffer.alloc(0)],
    ["too-large", "gzip", gzipSync("x".repeat(1_001))],
    ["malformed", "gzip", Buffer.from("plain")],
    ["malformed", "gzip", gzipSync("x".repeat(900)).subarray(0, 20)],
  ])("ends as %s with a body in %s that was not asked for", async (end, encoding, bytes) => {
    const head = `HTTP/1.1 429 Slow Down\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    const asked = askWeb((socket) => socket.end(Buffer.concat([Buffer.from(head), bytes])));
    expect(await failureOf(asked)).toBe(end);
    if (end === "malformed") expect(asked).rejects.toThrow("The answer is not valid gzip");
    if (end !== "answered") return;
    const body = bytes.length === 0 ? "" : "x".repeat(900);
    expect(await asked).toMatchObject({ status: 429, body });
  });

  test("gives up at the deadline, however slowly the bytes come", async () => {
    using drip = await startTcpServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    using mute = await startTcpServer(() => {});
    const ports = [drip.port, mute.port];
    const outbound = await outboundTo({ "web.test": ["127.0.0.1"] }, { ports });
    const asked = ports.map((port) =>
      failureOf(outbound.request(new URL(`http://web.test:${port}/`), LIMITS)),
    );
    expect(await Promise.all(asked)).toEqual(["timeout", "timeout"]);
    const late = askWeb(() => {}, { signal: AbortSignal.abort() });
    expect(await failureOf(late)).toBe("timeout");
  });

  test("believes no certificate that this machine does not trust", async () => {
    using server = await startTcpServer(greet, { tls: selfSigned("web.test") });
    const outbound = await outboundTo({ "web.test": ["127.0.0.1"] }, { ports: [server.port] });
    for (const host of ["web.test", "127.0.0.1"]) {
      const asked = outbound.request(new URL(`https://${host}:${server.port}/`), LIMITS);
      expect(await failureOf(asked)).toBe("certificate");
    }
  });

  test("refuses an answer in crumbs, which would keep the thread", async () => {
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    const crumbs = `${head}${"1\r\nx\r\n".repeat(4000)}0\r\n\r\n`;
    const ask = (partial: boolean) =>
      askWeb((socket) => socket.end(crumbs), { timeoutMs: 20_000, maxBytes: 100_000, partial });
    expect(await failureOf(ask(false))).toBe("malformed");
    expect((await ask(true)).body.length).toBeWithin(1000, 3000);
  });

  test("refuses an answer whose connection broke, and says what was wrong with it", async () => {
    const head = "HTTP/1.1 200 OK\r\n";
    const ends: Record<string, (socket: Socket) => void> = {
      [`${head}\r\nhello`]: (socket) => socket.resetAndDestroy(),
      [`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`]: (socket) => {
        socket.end("no size\r\n");
      },
    };
    const asked = Object.entries(ends).map(async ([begun, end]) => {
      const answer = (socket: Socket) => {
        socket.write(begun);
        setTimeout(end, 50, socket);
      };
      const came = await askWeb(answer, { partial: true });
      return [await failureOf(askWeb(answer)), came.body];
    });
    expect(await Promise.all(asked)).toEqual([
      ["unreachable", "hello"],
      ["malformed", "hello"],
    ]);
  });

  test("uses no proxy of the environment", async () => {
    using proxy = await startTcpServer((socket) => socket.end());
    using server = await startTcpServer((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\nhere"));
    });
    const folder = join(import.meta.dir, "../../../src/backend/outbound");
    const script = `
      import { createOutbound } from "${folder}/outbound.ts";
      const resolver = { addressesOf: async () => ({ outcome: "data", addresses: ["127.0.0.1"] }) };
      const outbound = createOutbound({ resolver, mayConnect: () => true, ports: [${server.port}] });
      const url = new URL("http://web.test:${server.port}/");
      const limits = { timeoutMs: 5000, maxBytes: 100, signal: new AbortController().signal };
      console.log((await outbound.request(url, limits)).body);`;
    const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"];
    const proxies = names.map((name) => [name, `http://127.0.0.1:${proxy.port}`]);
    const env = { PATH: process.env["PATH"], ...Object.fromEntries(proxies) };
    const child = Bun.spawn([process.execPath, "-e", script], { env, stdout: "pipe" });
    expect(await new Response(child.stdout).text()).toBe("here\n");
    expect(proxy.count()).toBe(0);
  });

  test("never lets a redirect lead to a private address, or anywhere else but on", async () => {
    using inside = await startTcpServer(greet, { host: "127.0.0.2" });
    let location = "";
    using web = await startTcpServer((socket) => {
      socket.once("data", () =>
        socket.end(
          `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 9\r\n\r\nshortened`,
        ),
      );
    });
    const names = { "shop.test": ["127.0.0.1"], "inside.shop.test": ["127.0.0.2"] };
    const ports = [web.port, inside.port];
    const outbound = await outboundTo(names, { allow: ["127.0.0.1/32"], ports });
    const follow = (to: string) => {
      location = to;
      return checkWeb(outbound, { name: "shop.test", port: web.port, signal }).catch(failedCheck);
    };
    const ask = () => {
      const url = new URL(`http://shop.test:${web.port}/domain/shop.test`);
      const about = { name: "shop.test", from: "registry" as const, now: new Date("2026-11-22") };
      return askRdap(outbound, { url, ...about, signal }).catch(failedCheck);
    };
    const blocked = { outcome: "blocked" };
    expect(await follow(`http://inside.shop.test:${web.port}/`)).toMatchObject(blocked);
    expect(await ask()).toMatchObject({ outcome: "blocked" });
    expect(await follow("https://elsewhere.test/login?next=1")).toMatchObject({
      result: { status: 302, leadsTo: "https://elsewhere.test/login?next=1" },
    });
    expect(await follow(`http://127.0.0.2:${inside.port}/`)).toMatchObject({
      result: { leadsTo: `http://127.0.0.2:${inside.port}/` },
    });
    expect(await follow("javascript:alert(1)")).toMatchObject({ result: { status: 302 } });
    expect(await follow(`http://me:secret@shop.test:${web.port}/`)).toMatchObject({
      result: { urls: { length: 6 } },
    });
    expect(await ask()).toMatchObject({ outcome: "refused" });
    expect(web.count()).toBe(1 + 1 + 1 + 1 + 1 + 6 + 4);
    expect(inside.count()).toBe(0);
  });
});

test("localhost is the loopback, for which no name server is asked", async () => {
  using dns = await startDnsServer(() => ({ rcode: 3 }));
  const resolver = createResolver([dns.server]);
  for (const name of ["localhost", "api.LOCALHOST."]) {
    const { addresses } = await resolver.addressesOf(name, { signal });
    expect(addresses).toEqual(["127.0.0.1", "::1"]);
  }
  expect(dns.asked).toEqual([]);
});
