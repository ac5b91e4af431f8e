import { describe, expect, spyOn, test } from "bun:test";
import { sendRaw, statusOf, values } from "../support/raw-http.ts";
import { startTestProxy, startTestServer } from "../support/test-server.ts";
import { reply, startUpstream } from "../support/upstream.ts";

const ask = (url: string, line: string) => sendRaw(url, `${line} HTTP/1.1\nHost: a`);

describe("/healthz and /readyz", () => {
  test("say that the process is up, and whether a request would find what it needs", async () => {
    await using notReady = startTestServer({ ready: async () => "why" });
    const answer = await ask(notReady.url, "GET /healthz");
    expect(statusOf(answer)).toBe(200);
    expect(answer.body.toString()).toBe("up\n");
    expect(values(answer, "content-type")).toEqual(["text/plain; charset=utf-8"]);
    expect(values(answer, "cache-control")).toEqual(["no-store"]);
    const missing = await ask(notReady.url, "GET /readyz");
    expect(statusOf(missing)).toBe(503);
    expect(missing.body.toString()).toBe("not ready: why\n");
  });

  test("answer GET and HEAD, and 405 to any other method", async () => {
    await using testServer = startTestServer();
    for (const path of ["/healthz", "/readyz"]) {
      expect(statusOf(await ask(testServer.url, `GET ${path}`))).toBe(200);
      expect(statusOf(await ask(testServer.url, `HEAD ${path}`))).toBe(200);
      expect(statusOf(await ask(testServer.url, `POST ${path}`))).toBe(405);
    }
  });

  test("follow the backend as it goes and comes", async () => {
    using _ = spyOn(console, "error").mockImplementation(() => undefined);
    const upstream = await startUpstream((socket) => socket.end(reply("", [], "404 Not Found")));
    await using testServer = startTestProxy(upstream.url);
    expect(statusOf(await ask(testServer.url, "GET /readyz"))).toBe(200);
    await upstream[Symbol.asyncDispose]();
    const answer = await ask(testServer.url, "GET /readyz");
    expect(statusOf(answer)).toBe(503);
    expect(answer.body.toString()).toBe("not ready: the backend does not answer\n");
  });
});
