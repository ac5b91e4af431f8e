import type { Api } from "../shared/api.ts";

type Command =
  | { kind: "serve" | "help" | "version" | "owner reset" }
  | { kind: "backup" | "restore"; file: string };

/** An argument is not known; the message says which, and what there is instead. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}

const OPTIONS: Record<string, "help" | "version"> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version",
};

/**
 * Reads the arguments behind the program's name; the first one counts.
 *
 * @throws {CommandLineError} Naming the arguments that are not known.
 */
export function parseCommandLine(args: readonly string[]): Command {
  const [first = "", file, ...rest] = args;
  if (first === "backup" || first === "restore") {
    if (file !== undefined && file !== "" && rest.length === 0) return { kind: first, file };
    throw new CommandLineError(`Expected one file: ${first} FILE.`);
  }
  if (args.join(" ") === "owner reset") return { kind: "owner reset" };
  const unknown = args.filter((argument) => !Object.hasOwn(OPTIONS, argument));
  if (unknown.length > 0) {
    const named = unknown.map((argument) => JSON.stringify(argument)).join(", ");
    throw new CommandLineError(
      `Expected no argument, backup FILE, restore FILE, owner reset, --help or --version, got ${named}. Settings are environment variables: see --help.`,
    );
  }
  return { kind: OPTIONS[first] ?? "serve" };
}

/** Read by Bun before any of our code runs: how many requests `fetch` has in flight at once. */
const LIMIT = "BUN_CONFIG_MAX_HTTP_REQUESTS";

/** The most that Bun takes. With its default of 256, quiet event streams would block everything else. */
const MAX_REQUESTS = "65535";

/**
 * Restarts the process, with the same pid and terminal, where the environment leaves Bun's limit of
 * requests to a backend at its default. It takes about 5 ms and happens once, since the new process
 * finds the variable set. A value of the operator's own stays as it is.
 */
export function raiseRequestLimit() {
  // Windows has no execve; there the limit stays.
  if (process.env[LIMIT] !== undefined || process.execve === undefined) return;
  // The second argument is the script, which an executable has inside.
  const own = Bun.isStandaloneExecutable ? process.argv.slice(2) : process.argv.slice(1);
  const args = [process.argv0, ...process.execArgv, ...own];
  process.execve(process.execPath, args, { ...process.env, [LIMIT]: MAX_REQUESTS });
}

/**
 * Queues requests until the backend has started. The port is taken before the database is opened, so
 * that a second instance on the same port touches no data.
 */
export function createDeferredApi(starting: Promise<Api>): Api {
  // Its failure is reported by whoever starts it.
  let started: Api | null = null;
  starting.then((api) => (started = api)).catch(() => undefined);
  return {
    fetch: async (request, peer) => (await starting).fetch(request, peer),
    routeOf: (path) => started?.routeOf?.(path) ?? null,
    metrics: async () => (await started?.metrics?.()) ?? [],
    ready: async () => (await started?.ready()) ?? "it is starting",
    close: async () => (await starting).close(),
  };
}
