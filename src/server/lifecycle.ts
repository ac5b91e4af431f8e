import type { Api } from "../shared/api.ts";
import { codeOf, log, OperatorError } from "../shared/log.ts";
import type { Config } from "./config/config.ts";

/** Read by Bun before any of our code runs: how many requests `fetch` has in flight at once. */
const LIMIT_VARIABLE = "BUN_CONFIG_MAX_HTTP_REQUESTS";

/** The most that Bun takes. With its default of 256, quiet event streams would block everything else. */
const MAX_REQUESTS = "65535";

/** Restarts the process once with the same pid, where Bun's limit of requests has its default. */
export function raiseRequestLimit() {
  // Windows has no execve; there the limit stays.
  if (process.env[LIMIT_VARIABLE] !== undefined || process.execve === undefined) return;
  // The second argument is the script, which an executable contains.
  const own = Bun.isStandaloneExecutable ? process.argv.slice(2) : process.argv.slice(1);
  const args = [process.argv0, ...process.execArgv, ...own];
  process.execve(process.execPath, args, { ...process.env, [LIMIT_VARIABLE]: MAX_REQUESTS });
}

/** Queues requests until the backend has started: the port is taken before data is opened. */
export function createDeferredApi(starting: Promise<Api>): Api {
  let started: Api | null = null;
  // The caller reports a failure.
  starting.then((api) => (started = api)).catch(() => undefined);
  return {
    fetch: async (request, peer) => (await starting).fetch(request, peer),
    routeOf: (path) => started?.routeOf?.(path) ?? null,
    metrics: async () => (await started?.metrics?.()) ?? [],
    ready: async () => (await started?.ready()) ?? "it is starting",
    close: async () => (await starting).close(),
  };
}

export function explainListening(
  cause: unknown,
  { host, port }: Pick<Config, "host" | "port">,
): OperatorError {
  const why: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Set PORT to another one.`,
    EACCES: `This process may not listen on port ${port}. Set PORT to another one.`,
  };
  const other = `HOST ${JSON.stringify(host)} is not an address of this machine.`;
  return new OperatorError(why[codeOf(cause)] ?? other, { cause });
}

export function localUrl({ host, tls, basePath }: Config, port: number): string {
  // A browser cannot open a wildcard address such as 0.0.0.0.
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `${tls ? "https" : "http"}://${name.includes(":") ? `[${name}]` : name}:${port}${basePath}`;
}

interface Resources {
  server: { stop(closeActiveConnections?: boolean): Promise<void> };
  /** WebSockets and event streams, which would never end by themselves. */
  openConnections: { closeAll(): void };
  api: { close(): Promise<void> };
}

const DEADLINE_MS = 8000;

/** How long idle connections stay open, for requests that were sent before the client could know. */
const LINGER_MS = 50;

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Shuts down on SIGINT and SIGTERM: finishes requests in flight, closes the backend, exits with 0; a
 * second signal exits at once. An uncaught exception may leave something half done, so it ends in 1.
 */
export function shutDownGracefully({ server, openConnections, api }: Resources) {
  let stopping = false;
  const shutDown = async (exitCode: number) => {
    stopping = true;
    await Bun.sleep(LINGER_MS);
    const stopped = server.stop();
    openConnections.closeAll();
    await Promise.race([stopped, Bun.sleep(DEADLINE_MS)]);
    await server.stop(true);
    await api.close();
    process.exit(exitCode);
  };
  const onFailure = (error: unknown) => {
    log.error("The server did not stop cleanly", error);
    process.exit(1);
  };
  for (const [name, number] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (stopping) process.exit(128 + number);
      void shutDown(0).catch(onFailure);
    });
  }
  process.on("unhandledRejection", (reason) => log.error("Unhandled rejection", reason));
  process.on("uncaughtException", (thrown) => {
    log.error("Uncaught exception", thrown);
    if (!stopping) void shutDown(1).catch(onFailure);
  });
}
