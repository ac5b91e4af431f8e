import { expect, test } from "bun:test";
import { join } from "node:path";
import { freePort } from "../support/postgres-cluster.ts";
import { PROJECT, startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const prometheus = Bun.which("prometheus");
if (!prometheus && process.env["CI"]) throw new Error("CI needs Debian's package `prometheus`.");
if (!prometheus) console.warn("Prometheus is not installed: the dashboard's queries are not run");

const dashboard = await Bun.file(join(PROJECT, ".github/grafana-dashboard.json")).json();
const queries: string[] = dashboard.panels.flatMap(({ targets = [] }: { targets?: [] }) =>
  targets.map(({ expr }: { expr: string }) => expr),
);

const config = (host: string) => `
scrape_configs:
  - job_name: freehold
    scrape_interval: 250ms
    scrape_timeout: 250ms
    static_configs: [{ targets: ["${host}"] }]
`;

/** Starts Prometheus over a server; the answer to a query is a list of series with their values. */
async function startPrometheus(program: string, url: string) {
  const folder = createTemporaryFolder();
  const file = join(folder.path, "prometheus.yml");
  await Bun.write(file, config(new URL(url).host));
  const address = `127.0.0.1:${freePort()}`;
  const child = Bun.spawn(
    [
      program,
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder.path, "data")}`,
      `--web.listen-address=${address}`,
      "--log.level=error",
    ],
    { cwd: folder.path, stdout: "ignore", stderr: "inherit" },
  );
  return {
    async query(expr: string): Promise<unknown> {
      const query = new URLSearchParams({ query: expr });
      const answer = await fetch(`http://${address}/api/v1/query?${query}`);
      const { status, error, data } = await answer.json();
      if (status !== "success") throw new Error(`${expr}: ${error}`);
      return data.result;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      folder[Symbol.dispose]();
    },
  };
}

test.skipIf(!prometheus)("the dashboard asks what a running server tells", async () => {
  await using server = await startServer({ METRICS: "on", LOG: "quiet" });
  for (const path of ["/home", "/api/token"]) await fetch(server.url + path);
  await using monitor = await startPrometheus(prometheus ?? "", server.url);
  const scrapes = () => monitor.query("count_over_time(process_start_time_seconds[1m]) >= 3");
  for (let found: unknown = []; !Array.isArray(found) || found.length === 0;) {
    await Bun.sleep(100);
    found = await scrapes().catch(() => []);
  }
  const text = await (await fetch(`${server.url}/metrics`)).text();
  expect(queries.length).toBeGreaterThan(20);
  for (const query of queries) {
    const names = (query.match(/\b(?:freehold|process)_\w+/g) ?? []).map((name) =>
      name.replace(/_bucket$/, ""),
    );
    for (const name of names) expect(text).toContain(`# TYPE ${name} `);
    const isTold = names.every((name) => new RegExp(`^${name}(?:_bucket)?[ {]`, "m").test(text));
    const found = await monitor.query(
      query.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*"),
    );
    expect({ query, isEmpty: Array.isArray(found) && found.length === 0 }).toEqual({
      query,
      // What has not happened yet has no series.
      isEmpty: !isTold,
    });
  }
  // Every metric of ours is on it.
  for (const [, name = ""] of text.matchAll(/^# TYPE (freehold_\w+)/gm))
    expect(queries.join("\n")).toContain(name);

  const promtool = Bun.spawn(["promtool", "check", "metrics"], {
    stdin: new Blob([text]),
    stderr: "pipe",
  });
  const said = await new Response(promtool.stderr).text();
  expect([said, await promtool.exited]).toEqual(["", 0]);
});
