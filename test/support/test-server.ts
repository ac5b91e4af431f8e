import type { RequestObserver } from "../../src/server/observers.ts";
import type { ApiHandlerOptions, ConnectionTimeouts } from "../../src/server/api-handler.ts";
import { OpenConnections } from "../../src/server/open-connections.ts";
import { createProxy } from "../../src/server/proxy/proxy.ts";
import { createRequestHandler } from "../../src/server/request-handler.ts";
import type { Site } from "../../src/server/site/site.ts";
import { createResource } from "../../src/server/static/resource.ts";
import { tunnelHandler } from "../../src/server/websockets/handshake.ts";

/** A listener of this process that answers as the real server does. */
export interface TestServer extends AsyncDisposable {
  url: string;
}

const text = (content: string) => new TextEncoder().encode(content);

const RESOURCES = new Map([
  ["/robots.txt", createResource(text("User-agent: *"), { "Content-Type": "text/plain" })],
  ["/home", createResource(text("<h1>Home</h1>"), { "Content-Type": "text/html" })],
]);

/** A site of one screen and one file. */
export const smallSite: Site = {
  find: async (path) => RESOURCES.get(path),
  notFound: async () => createResource(text("<h1>Nothing</h1>"), { "Content-Type": "text/html" }),
};

interface TestServerOptions {
  basePath?: string;
  trustProxy?: boolean;
  site?: Site;
  timeouts?: Partial<ConnectionTimeouts>;
  log?: RequestObserver;
}

/** Starts a server over an API of the test's own. */
export function startTestServer(
  api: ApiHandlerOptions["api"],
  { basePath = "", trustProxy = false, site = smallSite, log, ...options }: TestServerOptions = {},
): TestServer {
  const timeouts = { idle: 20, response: 20, upload: 255, ...options.timeouts };
  const handler = createRequestHandler({
    site,
    api,
    basePath,
    timeouts,
    openConnections: new OpenConnections(),
    allowsHost: null,
    trust: { tls: false, trustProxy },
    observers: log ? [log] : [],
  });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    idleTimeout: timeouts.idle,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: handler,
    websocket: tunnelHandler,
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      await api.close();
    },
  };
}

interface TestProxyOptions {
  basePath?: string;
  /** Seconds. */
  timeout?: number;
  trustProxy?: boolean;
  authorities?: string;
  timeouts?: Partial<ConnectionTimeouts>;
}

/** Starts a server whose API is a proxy to `target`. */
export function startTestProxy(target: string, options: TestProxyOptions = {}): TestServer {
  const {
    basePath = "",
    timeout = 10,
    trustProxy = false,
    authorities = null,
    timeouts = {},
  } = options;
  const proxy = createProxy({
    target,
    secretPaths: [],
    upstreamTimeout: timeout,
    trustProxy,
    backendAuthorities: authorities,
  });
  return startTestServer(proxy, { basePath, trustProxy, timeouts });
}
