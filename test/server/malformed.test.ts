import { describe, expect, test } from "bun:test";
import { openRaw, sendRaw, values } from "../support/raw-http.ts";
import { startProxyTo } from "../support/test-server.ts";
import { reply } from "../support/upstream.ts";
import { forAll } from "../support/for-all.ts";

const HOST = "Host: a\r\n";
const post = (headers: string, body: string) =>
  `POST /api/x HTTP/1.1\r\n${HOST}${headers}\r\n\r\n${body}`;
const CHUNKED = "Transfer-Encoding: chunked";
const chunked = (body: string) => post(CHUNKED, body);
const get = (headers: string) => `GET /api/x HTTP/1.1\r\n${HOST}${headers}\r\n\r\n`;
const start = (line: string) => `${line}\r\n${HOST}\r\n`;
const SMUGGLED = `GET /api/smuggled HTTP/1.1\r\n${HOST}\r\n`;

/** What nobody may send, by the kind of attack. Each is refused before the backend hears of it. */
const REFUSED: Record<string, Record<string, string>> = {
  "two framings": {
    "a length and chunks": post(`Content-Length: 5\r\n${CHUNKED}`, `0\r\n\r\n${SMUGGLED}`),
    "chunks and a length": post(`${CHUNKED}\r\nContent-Length: 4`, `0\r\n\r\n${SMUGGLED}`),
    "chunks in HTTP/1.0": `POST /api/x HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  },
  "a bad length": {
    "two equal ones": post("Content-Length: 2\r\nContent-Length: 2", "hi"),
    "two different ones": post("Content-Length: 2\r\nContent-Length: 99", "hi"),
    "a list": post("Content-Length: 2, 2", "hi"),
    "a sign": post("Content-Length: +2", "hi"),
    "a negative one": post("Content-Length: -2", "hi"),
    "a hexadecimal one": post("Content-Length: 0x2", "hi"),
    "an empty one": post("Content-Length:", "hi"),
    "a space in it": post("Content-Length: 1 2", "hi"),
    "a space before the colon": post("Content-Length : 2", "hi"),
    "one that overflows": post("Content-Length: 18446744073709551618", "hi"),
  },
  "a bad coding": {
    "another name": post("Transfer-Encoding: xchunked", "0\r\n\r\n"),
    identity: post("Transfer-Encoding: identity", "0\r\n\r\n"),
    twice: post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
    "not last": post("Transfer-Encoding: chunked, identity", "0\r\n\r\n"),
    "one that is not undone": post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"),
    "a vertical tab": post("Transfer-Encoding: \x0bchunked", "0\r\n\r\n"),
    "a space before the colon": post("Transfer-Encoding : chunked", "0\r\n\r\n"),
    "a folded line": post("Transfer-Encoding:\r\n chunked", "0\r\n\r\n"),
  },
  "bad chunks": {
    "a size that is none": chunked("zz\r\nhi\r\n0\r\n\r\n"),
    "a negative size": chunked("-1\r\nhi\r\n0\r\n\r\n"),
    "a prefix": chunked("0x2\r\nhi\r\n0\r\n\r\n"),
    "one that overflows": chunked("fffffffffffffffff\r\nhi\r\n0\r\n\r\n"),
    "no line after": chunked("2\r\nhiXX0\r\n\r\n"),
    "bare line feeds": chunked("2\nhi\n0\n\n"),
    "a line feed in an extension": chunked("2;a\nb\r\nhi\r\n0\r\n\r\n"),
  },
  "a bad header": {
    "a bare carriage return": get("X-A: a\rb"),
    "a null": get("X-A: a\0b"),
    "a control character": get("X-A: a\x01b"),
    "a folded line": get("X-A: a\r\n b"),
    "no colon": get("nocolon"),
    "no name": get(": v"),
    "a space in the name": get("X A: v"),
    "a space in front": `GET /api/x HTTP/1.1\r\n X: v\r\n${HOST}\r\n`,
  },
  "a bad start": {
    "bare line feeds": "GET /api/x HTTP/1.1\nHost: a\n\n",
    "HTTP/0.9": "GET /api/x\r\n\r\n",
    "HTTP/1.2": start("GET /api/x HTTP/1.2"),
    "HTTP/2.0": start("GET /api/x HTTP/2.0"),
    "another protocol": start("GET /api/x HTTZ/1.1"),
    "two spaces": start("GET  /api/x HTTP/1.1"),
    "a tab": start("GET\t/api/x HTTP/1.1"),
    "a space in the target": start("GET /api/x y HTTP/1.1"),
    "a null in the target": start("GET /api/\0x HTTP/1.1"),
    "no slash": start("GET api/x HTTP/1.1"),
    "no method": start(" /api/x HTTP/1.1"),
    "a method in lower case": start("get /api/x HTTP/1.1"),
    "an asterisk": start("OPTIONS * HTTP/1.1"),
    "a TLS hello": `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${"a".repeat(40)}\r\n\r\n`,
    "an HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  },
  "a bad host": {
    none: "GET /api/x HTTP/1.1\r\n\r\n",
    "an empty one": "GET /api/x HTTP/1.1\r\nHost:\r\n\r\n",
    "two equal ones": get("Host: a"),
    "two different ones": get("Host: b"),
    "a user": "GET /api/x HTTP/1.1\r\nHost: me@a\r\n\r\n",
    "a path": "GET /api/x HTTP/1.1\r\nHost: a/../b\r\n\r\n",
  },
  "too much": {
    "one long header": get(`X-A: ${"a".repeat(200_000)}`),
    "many headers": get("X-A: a\r\n".repeat(5000).trimEnd()),
    "a long target": start(`GET /api/${"a".repeat(200_000)} HTTP/1.1`),
  },
};

const proxy = forAll(() => startProxyTo((socket) => socket.write(reply("from the backend"))));

/** Sends bytes, waits for an answer or the end, and then a little for what must not follow. */
async function exchange(bytes: string): Promise<{ text: string; closed: boolean }> {
  const socket = openRaw(proxy().url, bytes);
  const received: Buffer[] = [];
  let closed = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("data", (data) => {
    received.push(Buffer.from(data));
    resolve();
  });
  socket.on("close", () => {
    closed = true;
    resolve();
  });
  await promise;
  await Bun.sleep(15);
  socket.destroy();
  return { text: Buffer.concat(received).toString("latin1"), closed };
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, s]) => Number(s));

describe.each(Object.entries(REFUSED))("a request with %s", (_, cases) => {
  test.each(Object.entries(cases))("is refused: %s", async (_name, bytes) => {
    const before = proxy().requests.length;
    const { text, closed } = await exchange(bytes);
    const answers = statuses(text);
    // One refusal at most; Bun closes without a word where it does not even see a method.
    expect(answers.length).toBeLessThanOrEqual(1);
    for (const status of answers) expect([400, 431, 505]).toContain(status);
    expect(closed || answers.length === 1).toBe(true);
    expect(text).not.toMatch(/from the backend|\.ts|Error:/);
    expect(proxy().requests.length).toBe(before);
  });
});

describe("a request that is odd and allowed", () => {
  test.each([
    ["a chunk extension", chunked("2;a=b\r\nhi\r\n0\r\n\r\n"), "hi"],
    ["a tab before the coding", post("Transfer-Encoding:\tchunked", "2\r\nhi\r\n0\r\n\r\n"), "hi"],
    ["GET with a body", get("Content-Length: 2").concat("hi"), ""],
    ["GET with a request as body", get(`Content-Length: ${SMUGGLED.length}`).concat(SMUGGLED), ""],
  ])("reaches the backend once, framed anew: %s", async (_, bytes, body) => {
    const before = proxy().requests.length;
    const { text } = await exchange(bytes);
    expect(statuses(text)).toEqual([200]);
    const came = proxy().requests.slice(before);
    expect(came.map((request) => request.body.toString())).toEqual([body]);
  });

  test("has headers left out that a backend could take for others", async () => {
    await sendRaw(
      proxy().url,
      "POST /api/x HTTP/1.1\nHost: a\nContent-Length: 2\nTransfer_Encoding: chunked\nContent_Length: 9\nX_Forwarded_For: 6.6.6.6",
      "hi",
    );
    const request = proxy().request();
    expect(request.headers.map(([name]) => name).filter((name) => name.includes("_"))).toEqual([]);
    expect(values(request, "x-forwarded-for")).toEqual(["127.0.0.1"]);
  });
});

test("a trailer is refused, and none of it reaches the backend", async () => {
  const before = proxy().requests.length;
  const { text } = await exchange(chunked("2\r\nhi\r\n0\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n"));
  expect(statuses(text)).toEqual([400]);
  // The body was whole before the trailer came: the backend may have had it by then, once.
  const came = proxy().requests.slice(before);
  expect(came.length).toBeLessThanOrEqual(1);
  for (const request of came) expect(values(request, "x-forwarded-for")).toEqual(["127.0.0.1"]);
});
