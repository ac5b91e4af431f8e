import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable } from "../../src/server/site/build-executable.ts";
import { PROJECT } from "../support/server-process.ts";
import { Children, readLines, startGenerator } from "./children.ts";
import { measureStart } from "./start-up.ts";
import { type Contender, get, measureThroughput, post } from "./throughput.ts";

/** `bun run bench`: the server, and its proxy beside the plainest one that Bun can be (`relay.ts`). */

const [{ model = "unknown" } = {}] = cpus();
const busy = loadavg()[0]?.toFixed(1);
const folder = await mkdtemp(join(tmpdir(), "freehold-bench-"));
try {
  const executable = join(folder, "freehold");
  await buildExecutable(PROJECT, executable);
  console.log("|  |  | plain proxy | ratio | target |\n| --- | ---: | ---: | ---: | --- |");
  await measureStarts(executable);
  await measureServing(executable);
  const machine = `${availableParallelism()} × ${model}, Bun ${Bun.version}`;
  console.log(`\n${machine}; ${busy} other processes were running when it began.`);
} finally {
  await rm(folder, { recursive: true });
}

async function measureStarts(executable: string) {
  const source = [process.execPath, "--no-env-file", "server.ts"];
  const fromSource = await measureStart(source, PROJECT);
  printRow("start to first page, from source, ms", fromSource, { target: "≤ 500" });
  const built = await measureStart([executable], folder);
  printRow("start to first page, executable, ms", built, { target: "≤ 150" });
}

async function measureServing(executable: string) {
  await using children = new Children();
  const backend = await startBackend(children);
  const freehold = await startFreehold(children, executable, backend);
  const child = children.start([process.execPath, join(import.meta.dir, "relay.ts"), backend]);
  const relay = { port: Number(await readLines(child)()), pid: child.pid };
  const generate = startGenerator(children);
  const script = await findScript(freehold);
  const cases: [what: string, request: string, all: Contender[]][] = [
    ["page, gzip", get("/home"), [freehold]],
    ["largest script, gzip", get(script), [freehold]],
    ["proxy, 1 KB GET", get("/api/json"), [freehold, relay]],
    ["proxy, 1 KB POST", post("/api/json"), [freehold, relay]],
  ];
  for (const [what, request, all] of cases) {
    const [ours, plain] = await measureThroughput(generate, all, request);
    const target = plain ? "≥ 0.9×" : "";
    printRow(`${what}, requests/s`, ours?.requestsPerSecond, {
      plain: plain?.requestsPerSecond,
      target,
    });
    printRow(`${what}, p99 ms`, ours?.p99, { plain: plain?.p99, digits: 1 });
    printRow(`${what}, processor µs`, ours?.cpu, { plain: plain?.cpu, digits: 1 });
  }
}

/** Starts the backend that is proxied to, and returns its URL. */
async function startBackend(children: Children): Promise<string> {
  const child = children.start([process.execPath, join(import.meta.dir, "backend.ts")]);
  return `http://127.0.0.1:${await readLines(child)()}`;
}

async function startFreehold(
  children: Children,
  executable: string,
  backend: string,
): Promise<Contender> {
  const env = { PORT: "0", LOG: "quiet", BACKEND_URL: backend };
  const child = children.start([executable], env);
  return { port: Number(/:(\d+)$/.exec(await readLines(child)())?.[1]), pid: child.pid };
}

/** The largest script of the page: React, which every visitor loads. */
async function findScript({ port }: Contender): Promise<string> {
  const address = `http://127.0.0.1:${port}`;
  const html = await (await fetch(`${address}/home`)).text();
  let largest = { path: "", bytes: 0 };
  for (const path of new Set(html.match(/\/assets\/[\w.-]+\.js/g))) {
    const { byteLength: bytes } = await (await fetch(address + path)).bytes();
    if (bytes > largest.bytes) largest = { path, bytes };
  }
  return largest.path;
}

function printRow(
  what: string,
  ours = Number.NaN,
  {
    plain,
    target = "",
    digits = 0,
  }: { plain?: number | undefined; target?: string; digits?: number },
) {
  const ratio = plain === undefined ? "" : `${(ours / plain).toFixed(2)}×`;
  console.log(
    `| ${what} | ${ours.toFixed(digits)} | ${plain?.toFixed(digits) ?? ""} | ${ratio} | ${target} |`,
  );
}
