import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable } from "../../src/server/site/build-executable.ts";
import { copyProject } from "../support/project-copy.ts";
import { PROJECT } from "../support/server-process.ts";
import { Children, startGenerator } from "./children.ts";
import {
  type Contender,
  findScript,
  startAnswering,
  startBackend,
  startFreehold,
  startLoggingFreehold,
  startRelaying,
  startRival,
} from "./contenders.ts";
import { getStuck, measureGrowth, upload } from "./memory.ts";
import { readMemory } from "./process-cost.ts";
import { startCaddy, startMiddleware } from "./proxies.ts";
import { measureStart } from "./start-up.ts";
import { formatTable, type Results, type Row, throughputRows } from "./table.ts";
import { type Generate, get, measureThroughput, post } from "./throughput.ts";

/**
 * Measures Freehold against nginx where that is installed: the same machine, the same files, the same
 * backend, by turns. Linux only: memory and processor time come from `/proc`.
 */
const LARGE = "/large.bin";

/** Requests a second that every contender can take, where latencies are compared at the same rate. */
const RATE = 20_000;

const folder = await mkdtemp(join(tmpdir(), "freehold-bench-"));
const began = performance.now();
const before = loadavg();
try {
  const rows = [...(await measureStarts()), ...(await measureServing())];
  console.log(`\n${formatTable(rows)}`);
  const [{ model = "unknown" } = {}] = cpus();
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const [busy = 0] = before;
  console.log(
    `\n${availableParallelism()} × ${model}, Bun ${Bun.version}; took ${seconds} s; ` +
      `${busy.toFixed(1)} other processes were running when it began.`,
  );
} finally {
  await rm(folder, { recursive: true });
}

async function measureStarts(): Promise<Row[]> {
  say("start");
  const executable = join(folder, "freehold");
  await buildExecutable(PROJECT, executable);
  const source = await measureStart([process.execPath, "--no-env-file", "server.ts"], PROJECT);
  const built = await measureStart([executable], folder);
  return [
    { what: "start to first page, from source, ms", ours: source, target: "≤ 500", digits: 0 },
    { what: "start to first page, executable, ms", ours: built, target: "≤ 150", digits: 0 },
  ];
}

async function measureServing(): Promise<Row[]> {
  await using children = new Children();
  const backendPort = await startBackend(children);
  const executable = join(folder, "freehold");
  const freehold = await startFreehold(children, executable, backendPort);
  const script = await findScript(freehold);
  const own = join(folder, "rival");
  await mkdir(own);
  const rival = await startRival(children, freehold, backendPort, own, [script], "tuned");
  if (rival === null) console.log("nginx is not installed: Freehold is measured alone.");
  const contenders = rival === null ? [freehold] : [freehold, rival];

  const generate = startGenerator(children);
  const rows: Row[] = [];
  const relay = await startRelaying(children, backendPort);
  const answering = (request: string) => startAnswering(children, freehold, request, folder);
  const page = get("/home");
  const cases: [what: string, request: string, target: string, alone: Contender][] = [
    ["page, gzip", page, "≥ 0.7×", await answering(page)],
    ["script, gzip", get(script), "≥ 0.7×", await answering(get(script))],
    ["proxy, 1 KB GET", get("/api/json"), "≥ 0.45×", relay],
    ["proxy, 1 KB POST", post("/api/json"), "≥ 0.45×", relay],
  ];
  for (const [what, request, target, alone] of cases) {
    say(what);
    const results = await compare(generate, [...contenders, alone], request);
    rows.push(...throughputRows(what, results, target));
  }
  for (const [what, request, , alone] of cases.slice(2)) {
    say(`${what}, at the same rate`);
    const results = await compare(generate, [...contenders, alone], request, { rate: RATE });
    rows.push(...throughputRows(`${what}, ${RATE} a second`, results, "p99 no worse").slice(1));
  }
  if (rival !== null)
    rows.push(...(await measurePackaged(generate, freehold, backendPort, script)));
  rows.push(...(await measureProxies(generate, children, freehold, backendPort)));
  say("download");
  const [ours, theirs] = await measureThroughput(generate, contenders, get("/api/megabytes/64"), {
    connections: 1,
  });
  rows.push({
    what: "proxy, 64 MB download, MB/s",
    ours: ours?.megabytesPerSecond ?? 0,
    theirs: theirs?.megabytesPerSecond,
    digits: 0,
  });
  rows.push({
    what: "memory after all of that, MB",
    ours: await readMemory(freehold.pid),
    theirs: rival ? await readMemory(rival.pid) : undefined,
    digits: 0,
  });
  return [...rows, ...(await measureMemory(backendPort, executable)), ...(await measureReaders())];
}

/** The same load on all, and who made what of it. */
async function compare(
  generate: Generate,
  contenders: readonly Contender[],
  request: string,
  { rate, rival = "nginx" }: { rate?: number; rival?: Contender["name"] } = {},
): Promise<Results> {
  const all = await measureThroughput(generate, contenders, request, rate ? { rate } : {});
  const of = (name: Contender["name"]) => all[contenders.findIndex((each) => each.name === name)];
  const ours = of("Freehold");
  if (!ours) throw new Error("Freehold took no part.");
  return { ours, theirs: of(rival), alone: of("Bun alone") };
}

/** Against proxies that people would put in its place; the column is nginx's, the row names them. */
async function measureProxies(
  generate: Generate,
  children: Children,
  freehold: Contender,
  backendPort: number,
): Promise<Row[]> {
  const peers = [
    ["Caddy", startCaddy, "≥ 1.5×"],
    ["http-proxy-middleware", startMiddleware, "≥ 3×"],
  ] as const;
  const rows: Row[] = [];
  for (const [rival, start, target] of peers) {
    say(`proxy, against ${rival}`);
    const peer = await start(children, backendPort, await mkdtemp(join(folder, "proxy-")));
    if (peer === null) {
      console.log(`${rival} is not installed.`);
      continue;
    }
    const results = await compare(generate, [freehold, peer], get("/api/json"), { rival });
    rows.push(...throughputRows(`proxy, 1 KB GET, against ${rival}`, results, target));
  }
  return rows;
}

/** Against nginx as its package has it set up: it logs and compresses as it goes, and so we log too. */
async function measurePackaged(
  generate: Generate,
  source: Contender,
  backendPort: number,
  script: string,
): Promise<Row[]> {
  await using children = new Children();
  const own = join(folder, "packaged");
  await mkdir(own);
  const executable = join(folder, "freehold");
  const freehold = await startLoggingFreehold(children, executable, backendPort, own);
  const rival = await startRival(children, source, backendPort, own, [script], "as packaged");
  const contenders = rival === null ? [freehold] : [freehold, rival];
  const rows: Row[] = [];
  const cases: [what: string, path: string, target: string][] = [
    ["page, both log, nginx as packaged", "/home", "≥ 5×"],
    ["script, both log, nginx as packaged", script, "≥ 5×"],
  ];
  for (const [what, path, target] of cases) {
    say(what);
    const results = await compare(generate, contenders, get(path));
    rows.push(...throughputRows(what, results, target));
  }
  return rows;
}

/** Each on a server that has done nothing else: what one leaves behind would hide the next. */
async function measureMemory(backendPort: number, executable: string): Promise<Row[]> {
  const works: [what: string, work: (contender: Contender) => Promise<void>][] = [
    ["1 GB upload with its length", (contender) => upload(contender, 1024, false)],
    ["1 GB upload in chunks", (contender) => upload(contender, 1024, true)],
    ["300 MB download, stuck", (contender) => getStuck(contender, "/api/megabytes/300", 1)],
  ];
  const rows: Row[] = [];
  for (const [what, work] of works) {
    say(what);
    await using children = new Children();
    const freehold = await startFreehold(children, executable, backendPort);
    await fetch(`http://127.0.0.1:${freehold.port}/api/json`);
    const ours = await measureGrowth(freehold, () => work(freehold));
    rows.push({ what: `${what}: memory above idle, MB`, ours, target: "≤ 40", digits: 0 });
  }
  return rows;
}

/** A site with a file that is far larger than what a connection holds. */
async function measureReaders(): Promise<Row[]> {
  say("slow readers");
  await using copy = await copyProject();
  await Bun.write(join(copy.folder, "public", LARGE), new Uint8Array(16_777_216));
  const executable = join(folder, "freehold-large");
  await buildExecutable(copy.folder, executable);
  await using children = new Children();
  const freehold = await startFreehold(children, executable, await startBackend(children));
  await fetch(`http://127.0.0.1:${freehold.port}${LARGE}`).then((answer) => answer.bytes());
  const ours = await measureGrowth(freehold, () => getStuck(freehold, LARGE, 200));
  const what = "200 slow readers of 16 MB: memory above idle, MB";
  return [{ what, ours, target: "≤ 100", digits: 0 }];
}

function say(what: string) {
  console.error(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`);
}
