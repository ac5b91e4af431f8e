import { describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { openProxy } from "../../support/front-door.ts";
import { parseMessage, sendRaw, statusOf, values } from "../../support/raw-http.ts";
import { startSocketBackend } from "../../support/socket-backend.ts";
import { reply, startUpstream } from "../../support/upstream.ts";

setDefaultTimeout(15_000);

const GET = "GET /api/x HTTP/1.1\nHost: a";
const POST = "POST /api/x HTTP/1.1\nHost: a\nContent-Length: 2";

const pem = (name: string) => Bun.file(join(import.meta.dir, "../../data/tls", name));

/** A backend that counts the requests, and on how many connections they came. */
async function startCounted(answer: (socket: Socket, nth: number) => void) {
  const sockets = new Set<Socket>();
  let asked = 0;
  const upstream = await startUpstream((socket) => {
    sockets.add(socket);
    answer(socket, ++asked);
  });
  return { upstream, used: () => sockets.size };
}

describe("connections to the backend", () => {
  test("carry one request after the other", async () => {
    const { upstream, used } = await startCounted((socket) => socket.write(reply("ok")));
    await using backend = upstream;
    await using door = openProxy(backend.url);
    for (let count = 0; count < 3; count++) {
      expect((await sendRaw(door.url, GET)).body.toString()).toBe("ok");
      expect((await sendRaw(door.url, POST, "{}")).body.toString()).toBe("ok");
    }
    expect(backend.requests).toHaveLength(6);
    expect(used()).toBe(1);
  });

  test.each([
    ["the backend closes them", reply("ok", ["Connection: close"])],
    ["the backend gives them up in a second", reply("ok", ["Keep-Alive: timeout=1"])],
    ["something followed the response", `${reply("ok")}HTTP/1.1 200 OK\r\n\r\n`],
    ["the backend speaks HTTP/1.0", reply("ok").replace("HTTP/1.1", "HTTP/1.0")],
  ])("are not used again where %s", async (_, answer) => {
    const { upstream, used } = await startCounted((socket) => socket.write(answer));
    await using backend = upstream;
    await using door = openProxy(backend.url);
    for (let count = 0; count < 2; count++)
      expect((await sendRaw(door.url, GET)).body.toString()).toBe("ok");
    expect(used()).toBe(2);
  });

  test("are not believed when they speak without being asked", async () => {
    const { upstream, used } = await startCounted((socket, nth) => {
      socket.write(reply(`answer ${nth}`));
      if (nth === 1) setTimeout(() => socket.write(reply("nobody asked")), 20);
    });
    await using backend = upstream;
    await using door = openProxy(backend.url);
    expect((await sendRaw(door.url, GET)).body.toString()).toBe("answer 1");
    while (backend.connections() > 0) await Bun.sleep(5);
    expect((await sendRaw(door.url, GET)).body.toString()).toBe("answer 2");
    expect(used()).toBe(2);
  });

  test("are given up some time after they were used last", async () => {
    const { upstream } = await startCounted((socket) =>
      socket.write(reply("ok", ["Keep-Alive: timeout=2"])),
    );
    await using backend = upstream;
    await using door = openProxy(backend.url);
    await sendRaw(door.url, GET);
    expect(backend.connections()).toBe(1);
    while (backend.connections() > 0) await Bun.sleep(20);
  });

  test("are closed with the server", async () => {
    await using upstream = await startUpstream((socket) => socket.write(reply()));
    const door = openProxy(upstream.url);
    await sendRaw(door.url, GET);
    expect(upstream.connections()).toBe(1);
    await door[Symbol.asyncDispose]();
    while (upstream.connections() > 0) await Bun.sleep(5);
  });

  test("that have gone stale cost a GET nothing, and a POST is not sent twice", async () => {
    const said = spyOn(console, "error").mockImplementation(() => undefined);
    const { upstream, used } = await startCounted((socket, nth) => {
      if (nth === 2 || nth === 4) socket.destroy();
      else socket.write(reply(`answer ${nth}`));
    });
    await using backend = upstream;
    await using door = openProxy(backend.url);
    expect((await sendRaw(door.url, GET)).body.toString()).toBe("answer 1");
    expect((await sendRaw(door.url, GET)).body.toString()).toBe("answer 3");
    expect(used()).toBe(2);
    expect(said).not.toHaveBeenCalled();
    expect(statusOf(await sendRaw(door.url, POST, "{}"))).toBe(502);
    expect(backend.requests).toHaveLength(4);
    expect(said).toHaveBeenCalledTimes(1);
    said.mockRestore();
  });

  test("are only opened to whom the certificate names", async () => {
    const said = spyOn(console, "error").mockImplementation(() => undefined);
    const tls = { cert: pem("cert.pem"), key: pem("key.pem") };
    await using backend = startSocketBackend({ hostname: "::1", tls });
    const target = `https://[::1]:${new URL(backend.url.replace("//::1", "//[::1]")).port}`;
    await using door = openProxy(target, { authorities: await pem("cert.pem").text() });
    const answer = await sendRaw(door.url, GET);
    expect(statusOf(answer)).toBe(502);
    expect(answer.body.toString()).toContain("certificate");
    expect(backend.handshakes).toBeEmpty();
    said.mockRestore();
  });
});

describe("a response", () => {
  test("that is short and in chunks is passed on with its length", async () => {
    const chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";
    await using upstream = await startUpstream((socket) => socket.write(chunks));
    await using door = openProxy(upstream.url);
    const answer = await sendRaw(door.url, GET);
    expect(answer.body.toString()).toBe("ok");
    expect(values(answer, "content-length")).toEqual(["2"]);
  });

  test("that ends with its connection arrives whole, however late it is read", async () => {
    const body = Buffer.alloc(3_000_000, "0123456789abcdefg");
    const over = Promise.withResolvers<void>();
    await using upstream = await startUpstream((socket) => {
      socket.on("close", () => over.resolve());
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.end(body);
    });
    await using door = openProxy(upstream.url);
    const client = connect(Number(new URL(door.url).port), "127.0.0.1");
    const closed = new Promise((resolve) => client.on("close", resolve));
    const received: Buffer[] = [];
    client.on("data", (data) => received.push(Buffer.from(data)));
    client.write("GET /api/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    await new Promise((resolve) => client.once("data", resolve));
    client.pause();
    await Promise.race([over.promise, Bun.sleep(300)]);
    client.resume();
    await closed;
    const answer = parseMessage(Buffer.concat(received));
    expect(answer?.complete).toBe(true);
    expect(answer?.body.equals(body)).toBe(true);
  });

  test("that ends with its connection is broken where that was reset", async () => {
    const said = spyOn(console, "error").mockImplementation(() => undefined);
    const begun = Promise.withResolvers<Socket>();
    await using upstream = await startUpstream((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\nhalf");
      begun.resolve(socket);
    });
    await using door = openProxy(upstream.url);
    const client = connect(Number(new URL(door.url).port), "127.0.0.1");
    const closed = new Promise((resolve) => client.on("close", resolve).on("error", resolve));
    let text = "";
    const half = new Promise<void>((resolve) =>
      client.on("data", (data) => {
        text += data.toString();
        if (text.includes("half")) resolve();
      }),
    );
    client.write("GET /api/x HTTP/1.1\r\nHost: a\r\n\r\n");
    await half;
    (await begun.promise).resetAndDestroy();
    await closed;
    expect(parseMessage(Buffer.from(text))?.complete).toBe(false);
    expect(said).toHaveBeenCalledTimes(1);
    said.mockRestore();
  });

  test("arrives whole over TLS, and so does a request", async () => {
    const body = new Uint8Array(3_000_000).map((_, at) => at * 7);
    const tls = { cert: pem("cert.pem"), key: pem("key.pem") };
    const fetch = async (request: Request) => new Response(await request.bytes());
    await using backend = Bun.serve({ hostname: "127.0.0.1", port: 0, tls, fetch });
    const target = `https://localhost:${backend.port}`;
    await using door = openProxy(target, { authorities: await pem("cert.pem").text() });
    const answer = await sendRaw(
      door.url,
      `POST /api/x HTTP/1.1\nHost: a\nContent-Length: ${body.length}`,
      body,
    );
    expect(answer.complete).toBe(true);
    expect(answer.body.equals(body)).toBe(true);
  });

  test("may come before the upload is complete, which is not waited for then", async () => {
    const backend = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.write(reply("too large", [], "413 Content Too Large")));
    });
    await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
    const gone = new Promise<void>((resolve) =>
      backend.on("connection", (socket) => socket.on("close", () => resolve())),
    );
    const address = backend.address();
    if (address === null || typeof address === "string") throw new Error("Expected a port.");
    await using door = openProxy(`http://127.0.0.1:${address.port}`);
    const client = connect(Number(new URL(door.url).port), "127.0.0.1");
    client.on("error", () => undefined);
    const heard = new Promise<Buffer>((resolve) => client.once("data", resolve));
    client.write("POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\nbegin");
    const answer = parseMessage(Buffer.from(await heard));
    expect(answer && statusOf(answer)).toBe(413);
    expect(answer?.body.toString()).toBe("too large");
    // What is left of the upload could be taken for the next request.
    await gone;
    client.destroy();
    await new Promise((resolve) => backend.close(resolve));
  });
});
