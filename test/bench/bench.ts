import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { buildExecutable } from "../../src/server/site/build-executable.ts";
import { PROJECT, startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { KILOBYTE_OF_JSON } from "./backend.ts";
import type { LoadResult } from "./load-generator.ts";
import { median, readCpu } from "./measure.ts";

/** `bun run bench`: the server, and its proxy beside the plainest one that Bun can be (`relay.ts`). */

const ROUNDS = 5;
const LOAD = { connections: 64, warmUp: 0.1, seconds: 0.9 };

/** A server that is measured. */
interface Contender {
  url: string;
  pid: number;
}

const busy = loadavg()[0]?.toFixed(1);
using folder = createTemporaryFolder();
const executable = join(folder.path, "freehold");
await buildExecutable(PROJECT, executable);
console.log("|  |  | plain proxy | ratio | target |\n| --- | ---: | ---: | ---: | --- |");
const fromSource = await measureStart({ folder: PROJECT });
printRow("start to first page, from source, ms", [fromSource], { target: "≤ 500" });
const built = await measureStart({ executable });
printRow("start to first page, executable, ms", [built], { target: "≤ 150" });
await measureServing();
const [{ model = "unknown" } = {}] = cpus();
const machine = `${availableParallelism()} × ${model}, Bun ${Bun.version}`;
console.log(`\n${machine}; ${busy} other processes were running when it began.`);

/** Milliseconds from the start of a process to the whole of its first page, over a register that it creates. */
async function measureStart(options: { executable?: string; folder?: string }): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await using server = await startServer({}, options);
    await (await fetch(`${server.url}/home`)).bytes();
    times.push(performance.now() - began);
  }
  return median(times);
}

async function measureServing() {
  using backend = startProgram("backend.ts");
  const target = await backend.nextUrl();
  using plain = startProgram("relay.ts", target);
  const relay = { url: await plain.nextUrl(), pid: plain.pid };
  await using freehold = await startServer({ LOG: "quiet", BACKEND_URL: target }, { executable });
  const cases: [what: string, request: string, all: Contender[]][] = [
    ["page, gzip", get("/home"), [freehold]],
    ["largest script, gzip", get(await findScript(freehold)), [freehold]],
    ["proxy, 1 KB GET", get("/api/json"), [freehold, relay]],
    ["proxy, 1 KB POST", post("/api/json"), [freehold, relay]],
  ];
  for (const [what, request, all] of cases) {
    const found = await measureThroughput(all, request);
    const aim = all.length > 1 ? "≥ 0.9×" : "";
    const column = (of: "perSecond" | "p99" | "cpu") => found.map((each) => each[of]);
    printRow(`${what}, requests/s`, column("perSecond"), { target: aim });
    printRow(`${what}, p99 ms`, column("p99"), { digits: 1 });
    printRow(`${what}, processor µs`, column("cpu"), { digits: 1 });
  }
}

/** Puts the same load on each server by turns, after each was warmed; medians over the rounds. */
async function measureThroughput(contenders: readonly Contender[], request: string) {
  using generator = startProgram("load-generator.ts");
  const generate = async ({ url }: Contender): Promise<LoadResult> =>
    JSON.parse(await generator.ask({ ...LOAD, request, port: Number(new URL(url).port) }));
  const rounds = contenders.map((): { perSecond: number; p99: number; cpu: number }[] => []);
  for (const each of contenders) await generate(each);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, each] of contenders.entries()) {
      const before = await readCpu(each.pid);
      const { requests, seconds, p99, total } = await generate(each);
      // Milliseconds; and microseconds of processor time for each request.
      const cpu = (((await readCpu(each.pid)) - before) * 1000) / total;
      rounds[at]?.push({ perSecond: requests / seconds, p99: p99 / 1000, cpu });
    }
  }
  return rounds.map((all) => ({
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    p99: median(all.map(({ p99 }) => p99)),
    cpu: median(all.map(({ cpu }) => cpu)),
  }));
}

/** A request for a path, as a browser that takes gzip would send it. */
function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nAccept-Encoding: gzip\r\n\r\n`;
}

/** A request that carries as much JSON as it is answered with. */
function post(path: string): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json`;
  return `${head}\r\nContent-Length: ${KILOBYTE_OF_JSON.length}\r\n\r\n${KILOBYTE_OF_JSON}`;
}

/** The largest script of the page: React, which every visitor loads. */
async function findScript({ url }: Contender): Promise<string> {
  const html = await (await fetch(`${url}/home`)).text();
  let largest = { path: "", bytes: 0 };
  for (const path of new Set(html.match(/\/assets\/[\w.-]+\.js/g))) {
    const { byteLength: bytes } = await (await fetch(url + path)).bytes();
    if (bytes > largest.bytes) largest = { path, bytes };
  }
  return largest.path;
}

/** A program of this folder as a process of its own, of which each answer is a line. */
function startProgram(name: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, name), ...args], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  async function nextLine(): Promise<string> {
    let text = "";
    while (!text.endsWith("\n")) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`${name} ended with ${await child.exited}.`);
      text += value;
    }
    return text;
  }
  return {
    pid: child.pid,
    /** Where it listens: it prints its port. */
    nextUrl: async () => `http://127.0.0.1:${(await nextLine()).trim()}`,
    async ask(question: object): Promise<string> {
      void child.stdin.write(`${JSON.stringify(question)}\n`);
      await child.stdin.flush();
      return nextLine();
    },
    [Symbol.dispose]: () => child.kill("SIGKILL"),
  };
}

function printRow(
  what: string,
  [ours = Number.NaN, plain]: readonly number[],
  { target = "", digits = 0 },
) {
  const ratio = plain === undefined ? "" : `${(ours / plain).toFixed(2)}×`;
  const cells = [what, ours.toFixed(digits), plain?.toFixed(digits) ?? "", ratio, target];
  console.log(`| ${cells.join(" | ")} |`);
}
