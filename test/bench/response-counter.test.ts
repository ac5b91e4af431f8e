import { describe, expect, test } from "bun:test";
import { ResponseCounter } from "./response-counter.ts";

const SIZED = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
const CHUNKED =
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nb;x=y\r\n\r\n0\r\n\r\n0\r\n \r\n0\r\n\r\n";

describe("ResponseCounter", () => {
  test("finds the end of each response, wherever the bytes are torn", () => {
    const bytes = Buffer.from(SIZED + EMPTY + CHUNKED + SIZED, "latin1");
    for (let size = 1; size <= bytes.length; size++) {
      const counter = new ResponseCounter();
      let completed = 0;
      for (let at = 0; at < bytes.length; at += size)
        completed += counter.take(bytes.subarray(at, at + size));
      expect([size, completed]).toEqual([size, 4]);
    }
  });

  test("counts none that is not complete", () => {
    for (const response of [SIZED, CHUNKED])
      expect(new ResponseCounter().take(Buffer.from(response.slice(0, -1)))).toBe(0);
  });

  test.each([
    "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
    "nonsense\r\n\r\n",
  ])("does not take %j for an answer", (response) => {
    expect(() => new ResponseCounter().take(Buffer.from(response))).toThrow("Expected");
  });
});
