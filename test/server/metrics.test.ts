import { describe, expect, test } from "bun:test";
import { startServer } from "../support/server-process.ts";
import { sendRaw, statusOf, values } from "../support/raw-http.ts";
import { reply, startUpstream } from "../support/upstream.ts";

const scrape = async (url: string) => (await fetch(`${url}/metrics`)).text();

/** The series of a metric, each with its value. */
const seriesOf = (text: string, name: string) =>
  text.split("\n").filter((line) => line.startsWith(`${name}{`));

const REQUESTS = "freehold_http_requests_total";

describe("/metrics", () => {
  test("counts requests by route, method and status, in the text format", async () => {
    await using server = await startServer({ METRICS: "on", LOG: "quiet" });
    const ask = (path: string, method = "GET", header = "") =>
      sendRaw(server.url, `${method} ${path} HTTP/1.1\nHost: localhost\n${header}`);
    for (const path of ["/home", "/healthz", "/api/token", "/nothing"]) await ask(path);
    await ask(`/api/domains/${Bun.randomUUIDv7()}`);
    await ask("/api/calendar/open-sesame.ics");
    await ask("/home", "PROPFIND");
    // However many paths strangers try, there is one series for them.
    for (let index = 0; index < 20; index += 1) await ask(`/api/${index}?q=${index}`);

    const answer = await ask("/metrics");
    expect(statusOf(answer)).toBe(200);
    expect(values(answer, "content-type")).toEqual(["text/plain; version=0.0.4; charset=utf-8"]);
    const text = answer.body.toString();
    expect(seriesOf(text, REQUESTS)).toEqual([
      `${REQUESTS}{route="/*",method="GET",status="200"} 1`,
      `${REQUESTS}{route="/healthz",method="GET",status="200"} 1`,
      `${REQUESTS}{route="/api/token",method="GET",status="200"} 1`,
      `${REQUESTS}{route="/*",method="GET",status="404"} 1`,
      `${REQUESTS}{route="/api/domains/:id",method="GET",status="401"} 1`,
      `${REQUESTS}{route="/api/calendar/:secret.ics",method="GET",status="404"} 1`,
      `${REQUESTS}{route="/*",method="other",status="405"} 1`,
      `${REQUESTS}{route="/api/*",method="GET",status="401"} 20`,
    ]);
    expect(text).not.toContain("open-sesame");
    expect(text).toContain('_duration_seconds_count{route="/api/*"} 20\n');
    expect(text).toContain('_duration_seconds_bucket{route="/api/*",le="+Inf"} 20\n');
    expect(text).toMatch(/^freehold_build_info\{version="[\d.]+",bun="[\d.]+"\} 1$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^freehold_database_up 1$/m);
    expect(await scrape(server.url)).toContain(
      `${REQUESTS}{route="/metrics",method="GET",status="200"} 1`,
    );

    for (const header of ["X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1"]) {
      expect(statusOf(await ask("/metrics", "GET", header))).toBe(404);
    }
    expect(statusOf(await ask("/metrics", "POST"))).toBe(405);
  });

  test("is below the base path, and counts what a backend answers as one route", async () => {
    await using upstream = await startUpstream((socket) => socket.end(reply("", [], "418 Tea")));
    await using server = await startServer({
      METRICS: "on",
      LOG: "quiet",
      BACKEND_URL: upstream.url,
      BASE_PATH: "/names",
    });
    const base = new URL("/names", server.url).href;
    for (const path of ["/api/a", "/api/b"]) await fetch(base + path);
    expect(seriesOf(await scrape(base), REQUESTS)).toEqual([
      `${REQUESTS}{route="/api/*",method="GET",status="418"} 2`,
    ]);
  });
});
