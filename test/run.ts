import { existsSync, readFileSync, statfsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable } from "../src/server/site/build-executable.ts";
import { findPostgres, startCluster } from "./support/postgres-cluster.ts";

/*
 * `bun run test`: runs every test file and prints `N passed, N failed, N skipped` as its last line.
 * With arguments it passes them on to `bun test`, as in `bun run test test/client`.
 *
 * Builds the executable and starts the Postgres cluster once, and hands them to the tests in
 * TEST_EXECUTABLE and TEST_POSTGRES_URL. `bun test <file>` works without either: it starts servers
 * from source and a cluster of its own, which is slower.
 */

/** Run one after the other: they measure time or memory, use up descriptors, or drive a browser. */
const SERIAL = [
  "test/browser/",
  "test/server/graceful-shutdown.test.ts",
  "test/server/load.test.ts",
  "test/server/proxy/proxy-streams.test.ts",
  "test/server/server-process.test.ts",
  "test/server/timeouts.test.ts",
];

/** Bun's five seconds are too few for a browser or a database on a busy machine. */
const TIMEOUT_MS = 180_000;

/** Of a file system in memory: an executable has 125 MB, and tests make three beside the shared one. */
const MIN_MEMORY_BYTES = 4e9;

const ROOT = join(import.meta.dir, "..");

interface Run {
  status: number;
  tests: number;
  failures: number;
  skipped: number;
}

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => interrupted.abort());

const folder = await mkdtemp(join(temporaryRoot(), "freehold-test-"));
const programs = findPostgres();
const cluster = programs === null ? null : await startCluster(programs);
try {
  process.exitCode = await runSuite(process.argv.slice(2));
} finally {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function runSuite(args: string[]): Promise<number> {
  const temporary = join(folder, "tmp");
  await mkdir(temporary);
  // Postgres runs as another user where the tests run as root: it has to reach its own folder, and to
  // remove that of a cluster that ends with a test, as from any folder for temporary files.
  await chmod(folder, 0o711);
  await chmod(temporary, 0o1777);
  const executable = join(folder, "built/freehold");
  await buildExecutable(ROOT, executable);
  const env = {
    ...process.env,
    TMPDIR: temporary,
    TEST_EXECUTABLE: executable,
    // No test runs for as long as the slowest of JavaScriptCore's compilers takes to pay for itself.
    BUN_JSC_useFTLJIT: "0",
    ...(cluster && { TEST_POSTGRES_URL: cluster.urlOf("postgres") }),
  };

  const runs: Run[] = [];
  for (const phase of args.length > 0 ? [args] : [parallelPhase(), SERIAL]) {
    if (!interrupted.signal.aborted) runs.push(await runTests(phase, env));
  }
  // Chromium ends with the process that drives it, and leaves its profile and its lock.
  const isOfChromium = (name: string) => /bun-chrome$|^org\.chromium\./.test(name);
  const left = (await readdir(temporary)).filter((name) => !isOfChromium(name));
  if (left.length > 0) console.error(`Left behind in TMPDIR: ${left.join(", ")}`);
  const sum = (count: (run: Run) => number) => runs.reduce((total, run) => total + count(run), 0);
  const passed = sum(({ tests, failures, skipped }) => tests - failures - skipped);
  console.log(
    `${passed} passed, ${sum((run) => run.failures)} failed, ${sum((run) => run.skipped)} skipped`,
  );
  return interrupted.signal.aborted ? 130 : sum((run) => run.status) && 1;
}

/** Memory, where it holds programs and all that is built: SQLite waits for the disk at each commit. */
function temporaryRoot(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory) || !existsSync("/proc/mounts")) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  const runsPrograms = !/ \/dev\/shm \S+ \S*\bnoexec\b/.test(readFileSync("/proc/mounts", "utf8"));
  return runsPrograms && bavail * bsize >= MIN_MEMORY_BYTES ? memory : tmpdir();
}

/** Arguments for all files but the serial ones. */
function parallelPhase(): string[] {
  // A renamed file would otherwise move to this phase unnoticed, and fail there now and then.
  const missing = SERIAL.filter((path) => !existsSync(join(ROOT, path)));
  if (missing.length > 0) throw new Error(`Not found: ${missing.join(", ")}; see SERIAL.`);
  const ignored = SERIAL.map((path) => (path.endsWith("/") ? `${path}**` : path));
  return [
    "--parallel=2",
    "--no-isolate",
    ...ignored.map((path) => `--path-ignore-patterns=${path}`),
  ];
}

async function runTests(args: string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const report = join(folder, "report.xml");
  const options = [`--timeout=${TIMEOUT_MS}`, "--reporter=junit", `--reporter-outfile=${report}`];
  const child = Bun.spawn([process.execPath, "test", ...options, ...args], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "inherit", "inherit"],
    signal: interrupted.signal,
  });
  const status = await child.exited;
  const xml = await Bun.file(report).text();
  await rm(report);
  const [root = ""] = /<testsuites[^>]*>/.exec(xml) ?? [];
  const read = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(root)?.[1] ?? 0);
  return { status, tests: read("tests"), failures: read("failures"), skipped: read("skipped") };
}
