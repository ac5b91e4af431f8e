import { join } from "node:path";
import { createTemporaryFolder } from "./temporary-folder.ts";

export const PROJECT = join(import.meta.dir, "../..");

/** The path of a certificate, or of a key. */
export const pem = (name: string) => join(PROJECT, "test/data/tls", name);

/** Variables with which a server speaks TLS as localhost. */
export const TLS = { TLS_CERT: pem("cert.pem"), TLS_KEY: pem("key.pem") };

/**
 * The executable that `test/run.ts` has built once for all tests: it starts in a tenth of the time.
 * Unset where a file is run alone.
 */
const BUILT = process.env["TEST_EXECUTABLE"];

/** A running server. Ends it, and removes its data folder, when the `await using` scope ends. */
export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

interface Options {
  /** Where it is started, and `server.ts` lies; the project by default. */
  folder?: string;
  /** A built executable to start instead: it finds neither Bun nor Node on its path. */
  executable?: string;
  /** What runs the executable, as one for another machine needs. */
  emulator?: readonly string[];
  /** What stands behind the program's name. */
  args?: string[];
  /** How long `runServer` waits for the end. */
  patienceMs?: number;
}

/**
 * Starts the real server, built or from source, on a free port of the loopback, in production mode
 * over a register in a folder of its own unless `env` says otherwise, and waits until it answers. It
 * runs from source in development, in a `folder` of its own, and where nothing is built.
 *
 * @param env Variables beside the few that every process needs; the developer's own never leak in.
 */
export async function startServer(env: Record<string, string> = {}, options: Options = {}) {
  const data = createTemporaryFolder();
  const child = spawn(env, data.path, options);
  let output = "";
  let ended: number | undefined;
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
  };
  const exited = Promise.all([child.exited, read(child.stdout), read(child.stderr)]).then(
    ([code]) => {
      ended = code;
      return code;
    },
  );
  /** Resolves once the output matches; rejects when the process ends before that. */
  const match = async (pattern: RegExp): Promise<RegExpMatchArray> => {
    for (;;) {
      const found = output.match(pattern);
      if (found) return found;
      if (ended !== undefined)
        throw new Error(`The server ended with ${ended}; it wrote no ${pattern}:\n${output}`);
      await Bun.sleep(5);
    }
  };
  /** Sends a signal and waits for the end. */
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return exited;
  };
  const dispose = async () => {
    if (child.exitCode === null) await stop("SIGKILL");
    data[Symbol.dispose]();
  };
  try {
    const [, url = ""] = await match(/ on (https?:\/\/[^\s"]+?)\/?["\s]/);
    return {
      /** Where it answers, such as `http://127.0.0.1:40123`, without a slash at the end. */
      url,
      pid: child.pid,
      /** What it has written so far, both streams together. */
      output: () => output,
      /** Of the link that it printed; throws where there was none. */
      setUpCode: () => decodeURIComponent(first(output, /#set-up=(\S+)/)),
      /** Resolves with what matches, once it was written; rejects when the process ends before that. */
      printed: async (pattern: RegExp) => (await match(pattern))[0],
      stop,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Runs the real `server.ts` where it cannot start or has nothing to; ends it where it goes on. */
export async function runServer(env: Record<string, string>, options: Options = {}) {
  using data = createTemporaryFolder();
  const child = spawn(env, data.path, options);
  const patience = setTimeout(() => child.kill("SIGKILL"), options.patienceMs ?? 25_000);
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  clearTimeout(patience);
  return { exitCode, stdout, stderr };
}

function spawn(
  env: Record<string, string>,
  data: string,
  {
    folder,
    executable = folder || isDevelopment(env) ? undefined : BUILT,
    emulator = [],
    args = [],
  }: Options,
) {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  const program = executable
    ? [...emulator, executable]
    : [process.execPath, "--no-env-file", "server.ts"];
  return Bun.spawn([...program, ...args], {
    cwd: folder ?? PROJECT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: {
      PATH: executable ? "/nowhere" : PATH,
      HOME,
      ...(TMPDIR ? { TMPDIR } : {}),
      NODE_ENV: "production",
      PORT: "0",
      DATABASE_URL: `sqlite://${join(data, "freehold.sqlite")}`,
      ...env,
    },
  });
}

function isDevelopment(env: Record<string, string>): boolean {
  return (env["NODE_ENV"] ?? "production") !== "production";
}

function first(text: string, pattern: RegExp): string {
  const found = text.match(pattern)?.[1];
  if (found === undefined) throw new Error(`Expected ${pattern} in:\n${text}`);
  return found;
}
