import type { Config } from "./config/config.ts";
import type { createFrontDoor } from "./front-door.ts";
import { createPatience } from "./patience.ts";
import { tunnelHandler } from "./websockets/switch-protocols.ts";

/** The address cannot be listened on; the message says why, in one line. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

export type Handler = ReturnType<typeof createFrontDoor>;

interface Development {
  /** Bun's HTML import, and the path that it is reached at. */
  page: Bun.HTMLBundle;
  path: string;
}

/**
 * Starts to answer. Bodies are limited by who reads them, not here: one that is only passed on has
 * no limit.
 *
 * @param development Adds hot reload.
 * @throws {ListenError} When the port is taken or the address is not one of this machine.
 */
export function listen(config: Config, handler: Handler, development?: Development) {
  const { host, port, tls } = config;
  try {
    return Bun.serve({
      hostname: host,
      port,
      // Without this a second instance would share the port in silence.
      reusePort: false,
      ...(tls ? { tls: { ...tls }, http2: true } : {}),
      idleTimeout: createPatience(config).idle,
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
  if (code === "EADDRINUSE") return `Port ${port} of ${host} is taken. Set PORT to another one.`;
  if (code === "EACCES")
    return `Port ${port} needs more rights than this process has. Set PORT to another one.`;
  return `HOST ${JSON.stringify(host)} is no address that this machine can listen on.`;
}
