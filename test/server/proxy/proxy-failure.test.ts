import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { createQuota } from "../../../src/server/api-handler.ts";
import { createProxy } from "../../../src/server/proxy/proxy.ts";
import {
  exchangeBytes,
  openRaw,
  parseMessage,
  type RawMessage,
  readAll,
  sendRaw,
  statusOf,
  values,
} from "../../support/raw-http.ts";
import { startProxyTo, startTestProxy } from "../../support/test-server.ts";
import { startTcpServer } from "../../support/tcp-server.ts";
import { reply, startUpstream } from "../../support/upstream.ts";

const GET = "GET /api/x HTTP/1.1\nHost: front.example";
const POST = "POST /api/x HTTP/1.1\nHost: front.example\nContent-Length: 2";

let said: ReturnType<typeof spyOn<Console, "error">>;

beforeEach(() => {
  said = spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => said.mockRestore());

const lines = () => said.mock.calls.map((call) => call.join(" "));

/**
 * Runs what has to succeed within a time-out, in seconds; again with a longer one where the machine was too
 * slow for it. Pauses of `work` are parts of the time-out.
 */
async function withRoom(work: (timeout: number) => Promise<void>): Promise<void> {
  for (const timeout of [0.3, 1, 3]) {
    try {
      await work(timeout);
      return;
    } catch (error) {
      if (timeout === 3) throw error;
      said.mockClear();
    }
  }
}

/** Expects a problem document that is not kept and gives nothing away. */
function expectProblem(answer: RawMessage, status: number, target: string) {
  expect(statusOf(answer)).toBe(status);
  expect(values(answer, "content-type")).toEqual(["application/problem+json"]);
  expect(values(answer, "cache-control")).toEqual(["no-store"]);
  const text = answer.body.toString();
  expect(JSON.parse(text)).toMatchObject({
    status,
    title: expect.any(String),
    detail: expect.any(String),
  });
  for (const secret of [new URL(target).host, new URL(target).hostname, "ECONN", ".ts:"]) {
    expect(text).not.toContain(secret);
  }
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toContain(target);
  expect(lines()[0]).not.toContain("\n");
}

/** The address of a backend that is not there any more. */
async function closedTarget(): Promise<string> {
  await using upstream = await startUpstream(() => undefined);
  return upstream.url;
}

describe("createProxy: failures", () => {
  test("answers 502 where the backend is down, or its name is not known", async () => {
    for (const target of [await closedTarget(), "http://backend.invalid:8080"]) {
      said.mockClear();
      await using testServer = startTestProxy(target);
      expectProblem(await sendRaw(testServer.url, POST, "{}"), 502, target);
    }
  });

  test.each([
    "",
    "nonsense\r\n\r\n",
    "HTTP/1.1 999 Odd\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
  ])("answers 502 where the backend answers %j and hangs up", async (answer) => {
    await using proxy = await startProxyTo((socket) => socket.end(answer));
    expectProblem(await sendRaw(proxy.url, POST, "{}"), 502, proxy.target);
  });

  test.each<[what: string, answer: Parameters<typeof startProxyTo>[0], missing: string]>([
    ["is silent", () => undefined, "complete head"],
    [
      "drips its head",
      async (socket) => {
        for (const byte of "HTTP/1.1 200 OK\r\n") {
          socket.write(byte);
          await Bun.sleep(20);
        }
      },
      "complete head",
    ],
    [
      "falls silent within a small body",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
      "byte",
    ],
  ])("answers 504 where the backend %s", async (_, answer, missing) => {
    await using proxy = await startProxyTo(answer, { timeout: 0.2 });
    expectProblem(await sendRaw(proxy.url, POST, "{}"), 504, proxy.target);
    expect(lines()[0]).toContain(`no ${missing} within UPSTREAM_TIMEOUT`);
  });

  test.each([
    ["GET", GET, ""],
    ["POST", POST, "{}"],
  ])("waits for a small answer to a %s that drips", async (_, head, body) => {
    await withRoom(async (timeout) => {
      await using proxy = await startProxyTo(
        async (socket) => {
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n");
          for (const byte of "dripped".slice(0, 6)) {
            await Bun.sleep(timeout * 400);
            socket.write(byte);
          }
        },
        { timeout },
      );
      const answer = await sendRaw(proxy.url, head, body);
      expect([statusOf(answer), answer.body.toString()]).toEqual([200, "drippe"]);
      expect(lines()).toEqual([]);
    });
  });

  test("answers 502 where a body in chunks is longer than it says, and reads no more of it", async () => {
    const ended = Promise.withResolvers<void>();
    await using proxy = await startProxyTo((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
      socket.write("6\r\nlonger\r\n");
      socket.on("close", ended.resolve);
    });
    expectProblem(await sendRaw(proxy.url, GET), 502, proxy.target);
    await ended.promise;
  });

  test.each([
    ["of known length", "Content-Length: 999999", "half"],
    ["in chunks", "Transfer-Encoding: chunked", "4\r\nhalf\r\n"],
    ["of events", "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked", "4\r\nhalf\r\n"],
  ])("shows that a body %s broke off", async (_, framing, body) => {
    const sent = Promise.withResolvers<void>();
    await using proxy = await startProxyTo(async (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n${body}`);
      await sent.promise;
      socket.destroy();
    });
    const client = openRaw(proxy.url, "GET /api/x HTTP/1.1\r\nHost: a\r\n\r\n");
    client.on("data", () => sent.resolve());
    const answer = parseMessage(await readAll(client));
    expect(answer && statusOf(answer)).toBe(200);
    expect(answer?.body.toString()).toBe("half");
    expect(answer?.complete).toBe(false);
    expect(lines()).toHaveLength(1);
  });

  test("breaks off where the backend falls silent within a body", async () => {
    await using proxy = await startProxyTo(
      (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\nhalf"),
      { timeout: 0.2 },
    );
    const answer = await sendRaw(proxy.url, GET);
    expect(answer.body.toString()).toBe("half");
    expect(answer.complete).toBe(false);
  });

  test.each([
    ["", ": hello\n\n", "data: 1\n\n"],
    [", though it tells its length", "data", ": 1\n\n"],
  ])("lets an event stream be silent%s", async (told, first, last) => {
    await withRoom(async (timeout) => {
      const length = told && `Content-Length: ${first.length + last.length}\r\n`;
      await using proxy = await startProxyTo(
        (socket) => {
          const head = `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n${length}`;
          socket.write(`${head}\r\n${first}`);
          setTimeout(() => socket.end(last), timeout * 2000);
        },
        { timeout },
      );
      const answer = await sendRaw(proxy.url, GET);
      expect([statusOf(answer), answer.body.toString()]).toEqual([200, first + last]);
      expect(values(answer, "connection")).toEqual(["close"]);
    });
  });

  test("never sends a POST twice", async () => {
    await using proxy = await startProxyTo((socket) => socket.destroy());
    // One with a body could not be: its stream is used up.
    expectProblem(
      await sendRaw(proxy.url, POST.replace("Length: 2", "Length: 0")),
      502,
      proxy.target,
    );
    expect(proxy.requests).toHaveLength(1);
  });

  test("sends a GET once more where its connection had gone stale", async () => {
    let first = true;
    await using proxy = await startProxyTo((socket) => {
      if (first) socket.destroy();
      else socket.end(reply());
      first = false;
    });
    expect(statusOf(await sendRaw(proxy.url, GET))).toBe(200);
    expect(proxy.requests).toHaveLength(2);
    expect(lines()).toEqual([]);
  });

  test("lets go of the backend when the client leaves, and says nothing of it", async () => {
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    await using proxy = await startProxyTo((socket) => {
      socket.on("close", () => left.resolve());
      arrived.resolve();
    });
    const client = openRaw(proxy.url, "GET /api/x HTTP/1.1\r\nHost: a\r\n\r\n");
    await arrived.promise;
    client.destroy();
    await left.promise;
    expect(lines()).toEqual([]);
  });

  test("gives a client all the time it wants for its upload", async () => {
    await withRoom(async (timeout) => {
      await using proxy = await startProxyTo((socket) => socket.end(reply()), { timeout });
      const headers = "Host: a\r\nTransfer-Encoding: chunked\r\nConnection: close";
      const socket = openRaw(proxy.url, `POST /api/x HTTP/1.1\r\n${headers}\r\n\r\n`);
      const answered = readAll(socket);
      for (const part of ["3\r\none\r\n", "3\r\ntwo\r\n", "0\r\n\r\n"]) {
        await Bun.sleep(timeout * 1500);
        socket.write(part);
      }
      const answer = parseMessage(await answered);
      expect(answer && statusOf(answer)).toBe(200);
      expect(proxy.requests[0]?.body.toString()).toBe("onetwo");
    });
  });

  test("gives back what it holds of an upload that goes on beside its answer, and breaks off", async () => {
    const leaves = Promise.withResolvers<void>();
    await using backend = await startTcpServer((socket) => {
      // It reads no more: a part of the upload waits.
      socket.once("data", () => socket.pause());
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n");
      void leaves.promise.then(() => socket.destroy());
    });
    const proxy = createProxy({
      target: backend.url,
      secretPaths: [],
      upstreamTimeout: 60,
      trustProxy: false,
      trustedProxies: [],
      backendAuthorities: null,
    });
    const max = 1_000_000_000;
    const open = createQuota({ max, maxPerSubscriber: max });
    const { take: hold, release } = open("a");
    const [answered, broken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let parts = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (parts++ > 0) await answered.promise;
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel: () => broken.resolve(),
    });
    const request = new Request("http://front.example/api/x", { method: "POST", body });
    const peer = { address: "a", remoteAddress: "127.0.0.1", secure: false, hold, release };
    const answer = await proxy.fetch(request, peer).finally(release);
    answered.resolve();
    for (let before = -1; before !== parts; await Bun.sleep(50)) before = parts;
    leaves.resolve();
    await answer.text().catch(() => undefined);
    await broken.promise;
    expect(open("a").take(max)).toBe(true);
    await proxy.close();
  });

  test("answers once, whatever follows on the connection to the backend", async () => {
    await using proxy = await startProxyTo((socket) =>
      socket.end(reply("first") + reply("second")),
    );
    const bytes = await exchangeBytes(
      proxy.url,
      `${GET.replace("\n", "\r\n")}\r\nConnection: close\r\n\r\n`,
    );
    expect(bytes.toString().match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(bytes.toString()).not.toContain("second");
  });
});
