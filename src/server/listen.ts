import type { Config } from "./config/config.ts";
import type { createRequestHandler } from "./request-handler.ts";
import { createTimeouts } from "./timeouts.ts";
import { tunnelHandler } from "./websockets/handshake.ts";

/** The address cannot be listened on; the message says why, in one line. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/**
 * Starts to answer requests. The size of bodies is limited by who reads them: one that is forwarded has
 * no limit.
 *
 * @param development Bun's HTML import, which brings hot reload, and the path that it is served at.
 * @throws {ListenError} When the port is taken or the address is not one of this machine.
 */
export function listen(
  config: Config,
  handler: ReturnType<typeof createRequestHandler>,
  development: { page: Bun.HTMLBundle; path: string } | null,
) {
  const { host, port, tls } = config;
  try {
    return Bun.serve({
      hostname: host,
      port,
      // Otherwise a second instance would share the port without an error.
      reusePort: false,
      ...(tls ? { tls: { ...tls }, http2: true } : {}),
      idleTimeout: createTimeouts(config).idle,
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: development
        ? { hmr: true, chromeDevToolsAutomaticWorkspaceFolders: false }
        : false,
      ...(development ? { routes: { [development.path]: development.page } } : {}),
      fetch: handler,
      websocket: tunnelHandler,
      error: (error) => {
        console.error(error);
        return new Response("The server failed to answer.\n", { status: 500 });
      },
    });
  } catch (error) {
    throw new ListenError(explain(error, host, port), { cause: error });
  }
}

function explain(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `Port ${port} of ${host} is in use. Set PORT to another one.`;
  if (code === "EACCES")
    return `This process may not listen on port ${port}. Set PORT to another one.`;
  return `HOST ${JSON.stringify(host)} is not an address of this machine.`;
}

/** Where a browser on this machine finds the server, without a slash at the end. */
export function localUrl({ host, tls }: Config, port: number): string {
  // A browser cannot go to the addresses that stand for all of a machine's.
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `${tls ? "https" : "http"}://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
