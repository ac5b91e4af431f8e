import { describe, expect, test } from "bun:test";
import { exchangeBytes, HANDSHAKE, parseMessage, sendRaw, values } from "../support/raw-http.ts";
import { startProxyTo, startTestServer } from "../support/test-server.ts";
import { agree, reply, startUpstream } from "../support/upstream.ts";
import { forAll } from "../support/for-all.ts";

// Canaries: limits of Bun 1.4.5 that src/server/README.md documents. One that fails means that Bun has
// improved; delete it then, together with its line in the README and any work-around.
describe("limits of Bun", () => {
  const lines: string[] = [];
  const log = (_: Request, path: string) => void lines.push(path);
  const testServer = forAll(() => startTestServer({}, { log }));

  test.each([
    ["without a Host", "GET /api/x HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["with two lengths", "POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx"],
    ["with a header that is none", "GET /home HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n"],
  ])("a request %s is refused without a word, and without a line in the log", async (_, bytes) => {
    const answer = parseMessage(await exchangeBytes(testServer().url, bytes));
    expect(answer?.start).toBe("HTTP/1.1 400 Bad Request");
    expect(answer?.body).toBeEmpty();
    expect(lines).toEqual([]);
  });

  test("nothing may be silent for longer than 255 seconds", () => {
    const serve = (idleTimeout: number) =>
      Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout, fetch: () => new Response() });
    expect(() => serve(256)).toThrow("255");
    void serve(255).stop(true);
  });

  test("a WebSocket is not compressed, and has none of the headers that the backend began it with", async () => {
    await using proxy = await startProxyTo((socket, request) => {
      expect(values(request, "sec-websocket-extensions")).toEqual([]);
      socket.end(`${agree(request, ["Set-Cookie: a=b", "X-A: b"])}\x88\x00`);
    });
    const head = `${HANDSHAKE}\nSec-WebSocket-Extensions: permessage-deflate`;
    const answer = await sendRaw(proxy.url, head);
    expect(answer.start).toBe("HTTP/1.1 101 Switching Protocols");
    for (const name of ["set-cookie", "x-a", "sec-websocket-extensions"])
      expect(values(answer, name)).toEqual([]);
  });

  test("the status of a refused WebSocket stands in the text of Bun's error, and only there", async () => {
    await using upstream = await startUpstream((socket) => socket.end(reply("", [], "403 X")));
    const socket = new WebSocket(upstream.url.replace("http", "ws"));
    const failed = Promise.withResolvers<Event>();
    socket.addEventListener("error", failed.resolve);
    const error = await failed.promise;
    // Read by `refusedStatus`: a proxied refusal would become a 502 where the text is another one.
    expect(error).toHaveProperty(
      "message",
      expect.stringMatching(/Expected 101 status code: 403$/),
    );
    expect(error).not.toHaveProperty("status");
  });

  test("a request behind another that is not answered yet closes the connection", async () => {
    await using proxy = await startProxyTo((socket) => socket.end(reply()));
    const one = "GET /api/x HTTP/1.1\r\nHost: a\r\n\r\n";
    const text = (await exchangeBytes(proxy.url, one + one)).toString();
    expect(text.split("HTTP/1.1 ").length - 1).toBeLessThan(2);
  });

  test("a byte above 7F in a path reaches the backend as a replacement character", async () => {
    await using proxy = await startProxyTo((socket) => socket.end(reply()));
    await sendRaw(proxy.url, "GET /api/\xff HTTP/1.1\nHost: a");
    expect(proxy.request().start).toBe("GET /api/%EF%BF%BD HTTP/1.1");
  });

  test("a large response of known length is sent in chunks, without that length", async () => {
    await using proxy = await startProxyTo((socket) => socket.end(reply("x".repeat(1_000_000))));
    const answer = await sendRaw(proxy.url, "GET /api/x HTTP/1.1\nHost: a");
    expect(answer.body).toHaveLength(1_000_000);
    expect(values(answer, "content-length")).toEqual([]);
  });

  test("a reason phrase, an early hint and a trailer of the backend are lost", async () => {
    await using proxy = await startProxyTo((socket) =>
      socket.end(
        "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\nHTTP/1.1 200 Splendid\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n",
      ),
    );
    const answer = await sendRaw(proxy.url, "GET /api/x HTTP/1.1\nHost: a");
    expect(answer.start).toBe("HTTP/1.1 200 OK");
    expect(answer.body.toString()).toBe("ok");
    for (const name of ["link", "x-sum"]) expect(values(answer, name)).toEqual([]);
  });
});
