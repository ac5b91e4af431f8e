import { describe, expect, test } from "bun:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { exchangeBytes, sendRaw, values } from "../../support/raw-http.ts";
import { startProxyTo } from "../../support/test-server.ts";
import { reply } from "../../support/upstream.ts";

/** Sends one request through a proxy and returns what the backend got and what came back. */
async function pass(head: string, body = "", answer: string | Buffer = reply()) {
  await using proxy = await startProxyTo((socket) => socket.end(answer));
  const answered = await sendRaw(proxy.url, head, body);
  return { request: proxy.request(), answered };
}

/** What comes back of an answer of the backend. */
const passBack = async (answer: string | Buffer, head = GET) =>
  (await pass(head, "", answer)).answered;

const GET = "GET /api/x HTTP/1.1\nHost: front.example";
const post = (headers = "") => `POST /api/x HTTP/1.1\nHost: front.example\n${headers}`;

/** The backend's answer with a body of bytes. */
function binary(body: Buffer, ...headers: string[]): Buffer {
  return Buffer.concat([
    Buffer.from(reply("", headers).replace("Length: 0", `Length: ${body.length}`)),
    body,
  ]);
}

describe("createProxy: the request", () => {
  const targets = `/api /api/ /api? /api/x? /api/a%2Fb%2f /api/%00 /api//a///b /api/%E2%82%AC/%zz /api/x?q#secret
    /api/x?a=1&a=2&b=%20+&c /api/x?next=http://a/../b /api/~tilde;v=1,2/@me:$!'()*`;
  test.each(targets.split(/\s+/))(
    "keeps path and query, and sends no fragment: %s",
    async (target) => {
      const { request } = await pass(`GET ${target} HTTP/1.1\nHost: a`);
      expect(request.start.split(" ")[1]).toBe(target.replace("#secret", ""));
    },
  );

  test.each(["GET", "HEAD", "DELETE", "OPTIONS", "PATCH", "PUT", "QUERY", "PROPFIND"])(
    "keeps the method %s",
    async (method) => {
      const { request } = await pass(`${method} /api/x HTTP/1.1\nHost: a\nContent-Length: 0`);
      expect(request.start).toStartWith(`${method} `);
    },
  );

  test.each(["DELETE", "OPTIONS", "POST"])(
    "frames a %s without a body as length 0",
    async (method) => {
      const { request } = await pass(`${method} /api/x HTTP/1.1\nHost: a`);
      expect(values(request, "content-length")).toEqual(["0"]);
      expect(values(request, "transfer-encoding")).toEqual([]);
    },
  );

  const large = "0123456789abcdef".repeat(50_000);
  test.each([
    ["a small one", post("Content-Length: 5"), "hello", "hello", ["5"]],
    ["a large one", post(`Content-Length: ${large.length}`), large, large, [`${large.length}`]],
    [
      "one in chunks",
      post("Transfer-Encoding: chunked"),
      "2\r\nhi\r\n3\r\n it\r\n0\r\n\r\n",
      "hi it",
      [],
    ],
    ["that of QUERY", "QUERY /api/x HTTP/1.1\nHost: a\nContent-Length: 3", "all", "all", ["3"]],
  ])("passes every byte of a body on, and its length: %s", async (_, head, body, sent, length) => {
    const { request } = await pass(head, body);
    expect(request.body.equals(Buffer.from(sent))).toBe(true);
    expect(values(request, "content-length")).toEqual(length);
  });

  test("keeps headers, cookies, authorization and bytes that are no ASCII as they came", async () => {
    const headers = [
      'cookie: a=1; b="2"',
      "authorization: Bearer x",
      "x-xsrf-token: t",
      "accept-encoding: br;q=0.5",
      "user-agent: me/1",
      "x-name: caf\xe9 \xc3\xa9",
    ];
    const { request } = await pass([GET, ...headers].join("\n"));
    const got = request.headers.map((pair) => pair.join(": "));
    for (const header of headers) expect(got).toContain(header);
  });

  test("adds who asks, and of its own nothing that changes the response", async () => {
    const { request } = await pass(GET);
    expect(values(request, "accept-encoding")).toEqual([]);
    expect(values(request, "user-agent")).toEqual([""]);
    expect(values(request, "accept")).toEqual(["*/*"]);
    const names = request.headers.map(([name]) => name);
    const own = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];
    const buns = ["accept", "connection", "user-agent"];
    expect(names.toSorted()).toEqual(["host", ...own, ...buns].toSorted());
  });

  test("says for whom it asks, believes nothing that the client says of that, and drops what belongs to its connection", async () => {
    const hops =
      "Keep-Alive: 1\nTE: trailers\nUpgrade: h2c\nProxy-Connection: x\nExpect: 100-continue\nX-Mine: 1\nConnection: x-mine";
    const { request } = await pass(
      `${GET}\nX-Forwarded-For: 6.6.6.6\nX-Forwarded-Proto: https\nX-Forwarded-Host: evil\nX-Forwarded-Port: 1\nForwarded: for=6.6.6.6\nX-Real-IP: 6.6.6.6\n${hops}`,
    );
    expect(values(request, "x-forwarded-for")).toEqual(["127.0.0.1"]);
    expect(values(request, "x-forwarded-proto")).toEqual(["http"]);
    expect(values(request, "x-forwarded-host")).toEqual(["front.example"]);
    const names = "keep-alive te upgrade proxy-connection expect x-mine";
    for (const name of ["x-forwarded-port", "forwarded", "x-real-ip", ...names.split(" ")])
      expect(values(request, name)).toEqual([]);
  });

  test("appends to what a trusted proxy says", async () => {
    await using proxy = await startProxyTo((socket) => socket.end(reply()), { trustProxy: true });
    await sendRaw(
      proxy.url,
      `${GET}\nX-Forwarded-For: 9.9.9.9\nX-Forwarded-Proto: https\nX-Forwarded-Host: outer`,
    );
    const request = proxy.request();
    expect(values(request, "x-forwarded-for")).toEqual(["9.9.9.9, 127.0.0.1"]);
    expect(values(request, "x-forwarded-proto")).toEqual(["https"]);
    expect(values(request, "x-forwarded-host")).toEqual(["outer"]);
  });
});

describe("createProxy: the answer", () => {
  test.each(["200 OK", "206 Partial Content", "401 Unauthorized", "503 X"])(
    "keeps status, headers and every cookie: %s",
    async (status) => {
      const headers = {
        Allow: ["GET"],
        "Content-Range": ["bytes 0-1/9"],
        ETag: ['"x"'],
        "Cache-Control": ["max-age=5"],
        "Set-Cookie": ["a=1; Path=/", "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT", "c="],
      };
      const lines = Object.entries(headers).flatMap(([name, all]) =>
        all.map((value) => `${name}: ${value}`),
      );
      const answered = await passBack(reply("ok", lines, status));
      expect(answered.start).toStartWith(`HTTP/1.1 ${status.split(" ")[0]}`);
      for (const [name, all] of Object.entries({ ...headers, "Content-Length": ["2"] }))
        expect(values(answered, name.toLowerCase())).toEqual(all);
      expect(answered.body.toString()).toBe("ok");
    },
  );

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)("passes a %s body on byte for byte", async (coding, compress) => {
    const body = compress(Buffer.from("text ".repeat(1000)));
    const answer = binary(body, `Content-Encoding: ${coding}`);
    const answered = await passBack(answer, `${GET}\nAccept-Encoding: ${coding}`);
    expect(values(answered, "content-encoding")).toEqual([coding]);
    expect(answered.body.equals(body)).toBe(true);
  });

  test("passes a large body on byte for byte", async () => {
    const body = Buffer.alloc(1_000_000, "0123456789abcdefg");
    const answered = await passBack(binary(body));
    expect(answered.complete).toBe(true);
    expect(answered.body.equals(body)).toBe(true);
  });

  test("keeps the length that HEAD is told, without a body", async () => {
    const answer = "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n";
    const answered = await passBack(answer, GET.replace("GET", "HEAD"));
    expect(values(answered, "content-length")).toEqual(["1234"]);
    expect(answered.body).toBeEmpty();
  });

  test.each(["Transfer-Encoding: chunked", "Connection: close"])(
    "tells HEAD no length where the backend tells none, but %s",
    async (header) => {
      await using proxy = await startProxyTo((socket) =>
        socket.end(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`),
      );
      const head = "HEAD /api/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      const answered = (await exchangeBytes(proxy.url, head)).toString().toLowerCase();
      expect(answered).toStartWith("http/1.1 200 ok\r\n");
      expect(answered).not.toContain("content-length");
      expect(answered).toEndWith("\r\n\r\n");
    },
  );

  test.each(["204 No Content", "304 Not Modified"])(
    "passes %s on without a body",
    async (status) => {
      const answered = await passBack(`HTTP/1.1 ${status}\r\nETag: "x"\r\n\r\n`);
      expect(answered.start).toStartWith(`HTTP/1.1 ${status.slice(0, 3)}`);
      expect(values(answered, "etag")).toEqual(['"x"']);
      expect(answered.body).toBeEmpty();
    },
  );

  test("drops what belongs to the backend's connection", async () => {
    const headers = [
      "Connection: close, x-internal",
      "X-Internal: 1",
      "Keep-Alive: timeout=5",
      'Alt-Svc: h3=":443"',
    ];
    const answered = await passBack(reply("ok", headers));
    for (const name of ["x-internal", "keep-alive", "alt-svc"])
      expect(values(answered, name)).toEqual([]);
  });

  test("keeps a browser from running an answer as a page of this site, unless the backend says otherwise", async () => {
    const answered = await passBack(reply());
    expect(values(answered, "x-content-type-options")).toEqual(["nosniff"]);
    expect(values(answered, "content-security-policy")).toEqual([
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    ]);
    const own = await passBack(reply("ok", ["Content-Security-Policy: default-src 'self'"]));
    expect(values(own, "content-security-policy")).toEqual(["default-src 'self'"]);
  });
});
