import type { Api } from "../shared/api.ts";

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
  let started: Api | null = null;
  starting.then(
    (api) => (started = api),
    // Reported by whoever starts it.
    () => undefined,
  );
  return {
    fetch: async (request, peer) => (await starting).fetch(request, peer),
    ready: async () => started?.ready() ?? false,
    close: async () => (await starting).close(),
  };
}
