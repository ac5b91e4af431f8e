import { describe, expect, test } from "bun:test";
import { array, assert, boolean, nat, property, string, uint8Array } from "fast-check";
import type { ResponseHead } from "../../../src/server/proxy/response-head.ts";
import { ResponseParser } from "../../../src/server/proxy/response-parser.ts";

/** Feeds a response in pieces, and returns what it was taken for. */
function read(pieces: string[], method = "GET") {
  const heads: ResponseHead[] = [];
  let content = "";
  const parser = new ResponseParser(method, {
    onHead: (head) => void heads.push(head),
    onContent: (part) => void (content += part.toString("latin1")),
  });
  for (const piece of pieces) parser.feed(Buffer.from(piece, "latin1"));
  const { complete, reusable } = parser;
  return { heads, content, complete, reusable, endsHere: parser.endsHere() };
}

function cut(text: string, places: number[]): string[] {
  const sorted = [0, ...places, text.length].toSorted((a, b) => a - b);
  return sorted.slice(1).map((end, at) => text.slice(sorted[at], end));
}

const answer = (headers: string, content = "", status = "200 OK") =>
  `HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${content}`;
const chunked = (content: string) => answer("Transfer-Encoding: chunked", content);

const LENGTH = answer("Content-Type: text/plain\r\nContent-Length: 11", "hello world");
const CHUNKED = answer(
  "transfer-encoding: Chunked\r\nSet-Cookie: a=1\r\nset-cookie: b=2",
  "5;x=y\r\nhello\r\n1 ;a\r\n \r\n005\r\nworld\r\n0\r\nX-Sum: 1\r\n\r\n",
);
const INTERIM = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n`;
const UNTIL_CLOSE = answer("Connection: close", "hello world");

describe("ResponseParser", () => {
  test("hands over in one piece what came at once, in however many chunks", () => {
    const parts: string[] = [];
    const parser = new ResponseParser("GET", {
      onHead: () => undefined,
      onContent: (part) => void parts.push(part.toString("latin1")),
    });
    parser.feed(Buffer.from(chunked(`${"1\r\nx\r\n".repeat(10_000)}3\r\nyz`)));
    parser.feed(Buffer.from("!\r\n0\r\n\r\n"));
    expect(parts).toEqual([`${"x".repeat(10_000)}yz`, "!"]);
    expect(parser.reusable).toBe(true);
  });

  test.each([
    ["with a length", LENGTH],
    ["in chunks", CHUNKED],
    ["behind interim ones", INTERIM + CHUNKED],
    ["until the connection ends", UNTIL_CLOSE],
  ])("takes a response %s for the same, wherever it is cut", (_, text) => {
    const whole = read([text]);
    expect(whole.content).toBe("hello world");
    expect(whole.heads).toHaveLength(1);
    expect(whole.endsHere).toBe(true);
    expect(read([...text])).toEqual(whole);
    for (let at = 1; at < text.length; at++) expect(read(cut(text, [at]))).toEqual(whole);
    const places = array(nat({ max: text.length }), { maxLength: 8 });
    assert(property(places, (some) => expect(read(cut(text, some))).toEqual(whole)));
  });

  test.each([
    ["with a length", LENGTH],
    ["in chunks", CHUNKED],
  ])("does not take a response %s for complete before its last byte", (_, text) => {
    for (let at = 0; at < text.length; at++) {
      const part = read([text.slice(0, at)]);
      expect(part.complete).toBe(false);
      expect(part.endsHere).toBe(false);
    }
    expect(read([text]).reusable).toBe(true);
  });

  test("passes any content on, whatever its chunks", () => {
    const chunks = array(uint8Array({ minLength: 1, maxLength: 40 }));
    assert(
      property(chunks, array(nat()), (parts, places) => {
        const texts = parts.map((part) => Buffer.from(part).toString("latin1"));
        const sizes = texts.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`);
        const text = chunked(`${sizes.join("")}0\r\n\r\n`);
        const { content, reusable } = read(
          cut(
            text,
            places.map((at) => at % text.length),
          ),
        );
        expect(content).toBe(texts.join(""));
        expect(reusable).toBe(true);
      }),
    );
  });

  test("reads headers line by line, without the space around their values", () => {
    const { heads } = read([answer("A:1\r\nB:  two words \t\r\nSet-Cookie: x=\xe9\r\nC:", "")]);
    expect(heads[0]?.headers).toEqual([
      ["a", "1"],
      ["b", "two words"],
      ["set-cookie", "x=\xe9"],
      ["c", ""],
    ]);
  });

  test.each([
    ["HEAD", answer("Content-Length: 5")],
    ["HEAD", answer("Transfer-Encoding: chunked")],
    ["GET", answer("Content-Length: 5", "", "304 Not Modified")],
    ["GET", "HTTP/1.1 204 No Content\r\n\r\n"],
    ["GET", "HTTP/1.1 204\r\n\r\n"],
    ["GET", answer("Content-Length: 0")],
  ])("expects nothing behind the head of the answer to %s: %j", (method, text) => {
    const { complete, reusable } = read([text], method);
    expect({ complete, reusable }).toEqual({ complete: true, reusable: true });
  });

  test.each([
    ["more than the response", `${LENGTH}x`],
    ["more than the response in chunks", `${CHUNKED}HTTP/1.1 200 OK`],
    ["Connection: close", answer("Content-Length: 0\r\nConnection: x, Close")],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"],
  ])("lets nothing follow on a connection with %s", (_, text) => {
    const { complete, reusable } = read([text]);
    expect({ complete, reusable }).toEqual({ complete: true, reusable: false });
  });

  test("lets something follow on a connection of HTTP/1.0 that is kept", () => {
    const kept = "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n";
    expect(read([kept]).reusable).toBe(true);
    const timed = read([answer("Content-Length: 0\r\nKeep-Alive: max=5, timeout=7")]);
    expect(timed.heads[0]?.keptFor).toBe(7);
  });

  test.each([
    "x",
    "HTTP/2",
    "HTTP/1.2 200 OK\r\n\r\n",
    "HTTP/1.1  200 OK\r\n\r\n",
    "HTTP/1.1 20 OK\r\n\r\n",
    "HTTP/1.1 2000 OK\r\n\r\n",
    "HTTP/1.1 600 OK\r\n\r\n",
    "HTTP/1.1 099 OK\r\n\r\n",
    "HTTP/1.1 200 O\0K\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n".repeat(50),
    answer("A: 1\r\n folded"),
    answer("A: 1\r\n\tfolded"),
    answer("no colon"),
    answer("A : 1"),
    answer(": 1"),
    answer("A\xe9: 1"),
    answer("A: 1\nB: 2"),
    answer("A: 1\rB: 2"),
    answer("A: \0"),
    answer("A: \x7f"),
    answer(`A: ${"a".repeat(70_000)}`),
    answer("Content-Length: 1\r\nContent-Length: 1", "a"),
    answer("Content-Length: 1, 1", "a"),
    answer("Content-Length: +1", "a"),
    answer("Content-Length: -1", "a"),
    answer("Content-Length: 0x1", "a"),
    answer("Content-Length:", "a"),
    answer("Content-Length: 99999999999999999999"),
    answer("Content-Length: 1\r\nTransfer-Encoding: chunked", "a"),
    answer("Transfer-Encoding: chunked\r\nContent-Length: 1", "a"),
    answer("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
    answer("Transfer-Encoding: gzip, chunked"),
    answer("Transfer-Encoding: identity"),
    "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    chunked("\r\n"),
    chunked("x\r\n"),
    chunked("-1\r\n"),
    chunked("0x1\r\n"),
    chunked("1\n"),
    chunked("1;\0\r\n"),
    chunked("1\r\nab\r\n"),
    chunked("1\r\na\n"),
    chunked("1;a\rb\r\n"),
    chunked("fffffffffffff\r\n"),
    chunked(`1;${"a".repeat(20_000)}`),
    chunked(`0\r\n${"X-A: b\r\n".repeat(5000)}`),
  ])("refuses %j", (text) => {
    expect(() => read([text])).toThrow();
    expect(() => read([...text])).toThrow();
  });

  test("reads a head of very many lines", () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `A${at % 9}:`);
    expect(read([answer([...lines, "Content-Length: 0"].join("\r\n"))]).complete).toBe(true);
    expect(() => read([answer([...lines, "\0"].join("\r\n"))])).toThrow("headers");
  });

  test("refuses a head that never ends", () => {
    const pieces = [
      "HTTP/1.1 200 OK\r\n",
      ...Array.from({ length: 70 }, () => `A: ${"a".repeat(1000)}\r\n`),
    ];
    expect(() => read(pieces)).toThrow("head");
  });

  test("gives up on nothing but bad framing: any bytes are a response or an error", () => {
    assert(
      property(string({ unit: "binary-ascii" }), boolean(), (text, begun) => {
        try {
          expect(read([begun ? chunked(text) : text]).heads.length).toBeLessThan(2);
        } catch (error) {
          expect(error).toHaveProperty("code", "EPROTO");
        }
      }),
    );
  });
});
