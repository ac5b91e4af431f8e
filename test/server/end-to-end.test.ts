import { describe, expect, test } from "bun:test";
import { endToEnd } from "../../src/server/end-to-end.ts";

const kept = (headers: Record<string, string>) => [...endToEnd(new Headers(headers)).keys()];

describe("endToEnd", () => {
  test("drops what describes the connection", () => {
    const headers = {
      Connection: "keep-alive",
      "Keep-Alive": "timeout=5",
      "Proxy-Connection": "keep-alive",
      TE: "trailers",
      Trailer: "X-Sum",
      "Transfer-Encoding": "chunked",
      Upgrade: "h2c",
      "Alt-Svc": 'h3=":443"',
      Accept: "text/plain",
    };
    expect(kept(headers)).toEqual(["accept"]);
  });

  test("drops what Connection names", () => {
    expect(
      kept({ Connection: "close, X-One ,x-two", "X-One": "1", "X-Two": "2", "X-Three": "3" }),
    ).toEqual(["x-three"]);
  });

  test("keeps what the message cannot do without, even where Connection names it", () => {
    const headers = {
      Authorization: "Bearer x",
      "Content-Length": "1",
      "Content-Type": "text/plain",
      Cookie: "a=1",
      Host: "a",
    };
    expect(kept({ ...headers, Connection: Object.keys(headers).join(", ") })).toEqual(
      Object.keys(headers).map((name) => name.toLowerCase()),
    );
  });

  test("keeps each Set-Cookie by itself and leaves the original alone", () => {
    const headers = new Headers({ Connection: "close" });
    headers.append("Set-Cookie", "a=1");
    headers.append("Set-Cookie", "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT");
    expect(endToEnd(headers).getSetCookie()).toEqual([
      "a=1",
      "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT",
    ]);
    expect(headers.get("connection")).toBe("close");
  });
});
