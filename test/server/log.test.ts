import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { PROJECT, runServer, startServer } from "../support/server-process.ts";
import { sendRaw } from "../support/raw-http.ts";

/** Each line as an object, which tells its time. */
function parseLines(output: string): Record<string, unknown>[] {
  const entries = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const { time } of entries) expect(time).toBe(new Date(time).toISOString());
  return entries;
}

test("log keeps a path with percent signs, and the error behind it", () => {
  const module = join(PROJECT, "src/shared/log.ts");
  const script = `import { log } from "${module}"; log.error("GET /%c3%a9/%d failed", Error("why"))`;
  const said = Bun.spawnSync([process.execPath, "-e", script]).stderr.toString();
  expect(said).toStartWith("GET /%c3%a9/%d failed: ");
  expect(said).toContain("error: why");
});

describe("LOG=json", () => {
  test("writes the start, requests and refusals as objects, with the paths of routes", async () => {
    await using server = await startServer({ LOG: "json", TRUST_PROXY: "1", MAIL_FROM: "" });
    const ask = (path: string) => sendRaw(server.url, `GET ${path} HTTP/1.1\nHost: localhost`);
    await ask("/healthz?secret");
    await ask(`/api/domains/${Bun.randomUUIDv7()}`);
    await ask("/api/calendar/open-sesame.ics");
    await ask("/api/acknowledge/open-sesame/more");
    await server.printed(/\/api\/acknowledge/);
    expect(await server.stop()).toBe(0);
    const entries = parseLines(server.output());
    expect(entries).toContainEqual({
      time: expect.any(String),
      level: "warn",
      message: expect.stringContaining("set TRUSTED_PROXIES"),
    });
    expect(entries).toContainEqual({
      time: expect.any(String),
      level: "info",
      message: `Freehold production on ${server.url}`,
    });
    const request = { time: expect.any(String), method: "GET", ms: expect.any(Number) };
    expect(entries.filter((entry) => "method" in entry)).toEqual([
      { ...request, path: "/healthz", status: 200, bytes: 3 },
      { ...request, path: "/api/domains/:id", status: 401, bytes: expect.any(Number) },
      { ...request, path: "/api/calendar/:secret.ics", status: 404, bytes: expect.any(Number) },
      { ...request, path: "/api/acknowledge/***", status: 401, bytes: expect.any(Number) },
    ]);
    expect(server.output()).not.toContain("sesame");
  });

  test("writes what went wrong with its stack", async () => {
    const backend = "http://127.0.0.1:9";
    await using server = await startServer({ LOG: "json", BACKEND_URL: backend });
    await fetch(`${server.url}/api/domains/1`);
    await server.printed(/"status":502/);
    const entries = parseLines(server.output());
    expect(entries).toContainEqual({
      time: expect.any(String),
      level: "error",
      message: expect.stringContaining(`GET /api/domains/1: ${backend} failed: ECONNREFUSED`),
    });
    // Of another backend no routes are known.
    expect(entries).toContainEqual(
      expect.objectContaining({ path: "/api/domains/1", status: 502 }),
    );
  });

  test("writes a start that fails", async () => {
    const bad = await runServer({ LOG: " json ", PORT: "none", HOST: "?" });
    expect(bad.exitCode).toBe(1);
    expect(parseLines(bad.stderr)).toEqual([
      {
        time: expect.any(String),
        level: "error",
        message: expect.stringMatching(/2 variables .*\n {2}PORT: .*\n {2}HOST: /),
      },
    ]);
    const unusable = await runServer({ LOG: "json", DATABASE_URL: "sqlite:///dev/null/x" });
    expect(parseLines(unusable.stderr)).toMatchObject([{ level: "error" }]);
  });
});
