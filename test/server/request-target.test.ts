import { afterAll, describe, expect, test } from "bun:test";
import { readPath } from "../../src/server/request-target.ts";
import { sendRaw } from "../support/raw-http.ts";

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  fetch: (request) =>
    new Response(`${readPath(request)} ${URL.parse(request.url)?.pathname ?? "none"}`),
});
const url = `http://127.0.0.1:${server.port}`;
afterAll(() => server.stop(true));

const TARGETS =
  "/ /? /a?b#c /a#c?d /a?x=/../y //evil/x ///a /a//b/./c /\\..\\x /api/../x /api/%2e%2e/x /api/.%2E/x /api/%2e%2e%2fx /.. /a% /%00 /ä http://evil.test/api/../x http://evil.test /a|b{}^`<> /a'b".split(
    " ",
  );

/** What `readPath` makes of a target, and the URL parser behind it. */
async function pathsOf(target: string, host: string) {
  const { body } = await sendRaw(url, `GET ${target} HTTP/1.1\nHost: ${host}`);
  const [ours, parsed] = body.toString().split(" ");
  return { ours, parsed };
}

describe("readPath", () => {
  test.each(TARGETS)("sees what the URL parser sees: %s", async (target) => {
    for (const host of ["localhost", "sub.domain-x.example:80", "[::1]:3000", "1.2"]) {
      const { ours = "", parsed = "" } = await pathsOf(target, host);
      expect(ours).toBe(parsed);
      expect(ours).toStartWith("/");
    }
  });

  const bad = "a:99999|a:123456|a b|a/b|me@a|256.256.256.256|[::::]|[::1|a, b|a?".split("|");
  test.each(bad)("sees none where the host is %s", async (host) => {
    const { ours = "" } = await pathsOf("/api/../x", host);
    expect(ours).toBe("null");
  });
});
