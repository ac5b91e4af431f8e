import { describe, expect, test } from "bun:test";
import { exchangeBytes, sendRaw, statusOf, values } from "../support/raw-http.ts";
import { startTestServer } from "../support/test-server.ts";
import { forAll } from "../support/for-all.ts";

/** Answers with the URL that it was asked for, or as the path says. */
const echo = {
  async fetch(request: Request) {
    const url = new URL(request.url);
    if (url.pathname === "/api/broken") throw new Error("secret detail");
    return new Response(`api ${request.method} ${url.pathname}${url.search}`);
  },
};

const testServer = forAll(() => startTestServer(echo));

const ask = (line: string, ...headers: string[]) =>
  sendRaw(
    testServer().url,
    [`${line} HTTP/1.1`, ...(headers.length ? headers : ["Host: a"])].join("\n"),
  );

describe("createRequestHandler", () => {
  test.each(["/api", "/api/", "/api/x", "/api//x?q=1", "/x/../api/y", "http://other/api/z"])(
    "asks the API for %s",
    async (target) => {
      const answer = await ask(`GET ${target}`);
      expect(answer.body.toString()).toStartWith("api GET /api");
    },
  );

  const leaving =
    "/api/../x /api/a%2f../../../x /api/%2e%2e/x /api/%2E./x /api/a/../../x http://a/api/../x";
  test.each([...leaving.split(" "), "/api\\..\\x", "/apix", "/API/x", "/api%2Fx"])(
    "keeps %s out of the API",
    async (target) => {
      const answer = await ask(`GET ${target}`);
      expect(statusOf(answer)).toBe(404);
      expect(answer.body.toString()).not.toContain("api GET");
    },
  );

  test.each(["Host:", "Host: a b", "Host: a:port", "Host: a\nHost: b"])(
    "says under /api/ in a problem document what is wrong with %j",
    async (headers) => {
      const answer = await ask("GET /api/x", headers);
      expect(statusOf(answer)).toBe(400);
      expect(values(answer, "content-type")).toEqual(["application/problem+json"]);
      expect(JSON.parse(answer.body.toString())).toEqual({
        type: "about:blank",
        title: "Bad Request",
        status: 400,
        detail: "Expected one Host header that names a host.",
      });
      const outside = await ask("GET /api/../x", headers);
      expect(statusOf(outside)).toBe(400);
      expect(values(outside, "content-type")).toEqual(["text/plain; charset=utf-8"]);
    },
  );

  test("logs what it refuses for its Host like anything else", async () => {
    const lines: string[] = [];
    await using logged = startTestServer(echo, {
      log: ({ method }, path, { status }) => void lines.push(`${method} ${path} ${status}`),
    });
    const paths = ["/api/x?secret", "/home", "/api/%2e%2e/y%1b[2J", "//evil/z", "http://b:port/w"];
    for (const path of paths) await sendRaw(logged.url, `GET ${path} HTTP/1.1\nHost: a b`);
    await sendRaw(logged.url, "POST /api/x HTTP/1.1\nHost: a:port\nContent-Length: 0");
    expect(lines).toEqual([
      "GET /api/x 400",
      "GET /home 400",
      "GET /y%1b[2J 400",
      "GET //evil/z 400",
      "GET /w 400",
      "POST /api/x 400",
    ]);
  });

  test.each([
    ["/home", "text/plain; charset=utf-8", "GET, HEAD"],
    ["/api/x", "application/problem+json", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"],
  ])("refuses TRACE of %s", async (path, type, allow) => {
    const answer = await ask(`TRACE ${path}`);
    expect(statusOf(answer)).toBe(405);
    expect(values(answer, "content-type")).toEqual([type]);
    expect(values(answer, "allow")).toEqual([allow]);
  });

  test("refuses to open a tunnel, and hears nothing of a method that nobody knows", async () => {
    expect(statusOf(await ask("CONNECT a:80"))).toBe(400);
    const bytes = await exchangeBytes(testServer().url, "BREW /api/x HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(bytes.toString()).not.toContain("api BREW");
  });

  test("answers 500 without a detail where something throws", async () => {
    const answer = await ask("GET /api/broken");
    expect(statusOf(answer)).toBe(500);
    expect(answer.body.toString()).toBe("The server failed to answer.\n");
  });
});
