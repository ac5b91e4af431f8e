import type { RequestObserver } from "../../src/server/observers.ts";
import type { ApiHandlerOptions, ConnectionTimeouts } from "../../src/server/api-handler.ts";
import { OpenConnections } from "../../src/server/open-connections.ts";
import { createProxy } from "../../src/server/proxy/proxy.ts";
import { createRequestHandler } from "../../src/server/request-handler.ts";
import type { Site } from "../../src/server/site/site.ts";
import { createResource } from "../../src/server/static/resource.ts";
import { tunnelHandler } from "../../src/server/websockets/handshake.ts";
import { startUpstream } from "./upstream.ts";

/** A listener of this process that answers as the real server does. */
interface TestServer extends AsyncDisposable {
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

const API = {
  fetch: async () => new Response("api"),
  ready: async () => true as const,
  close: async () => undefined,
};

/** Starts a server over an API of the test's own; what that lacks is done by one that is always ready. */
export function startTestServer(
  own: Partial<ApiHandlerOptions["api"]> = {},
  { basePath = "", trustProxy = false, site = smallSite, log, ...options }: TestServerOptions = {},
): TestServer {
  const api = { ...API, ...own };
  const timeouts = { idle: 20, response: 20, upload: 255, ...options.timeouts };
  const handler = createRequestHandler({
    site,
    api,
    config: { basePath, trustProxy, trustedProxies: [], tls: null, authHeader: null },
    timeouts,
    openConnections: new OpenConnections(),
    allowsHost: null,
    metrics: null,
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

interface TestProxyOptions extends TestServerOptions {
  /** Seconds. */
  timeout?: number;
}

export function startTestProxy(
  target: string,
  { timeout = 10, ...options }: TestProxyOptions = {},
): TestServer {
  const { trustProxy = false } = options;
  const about = { trustProxy, trustedProxies: [], backendAuthorities: null, secretPaths: [] };
  return startTestServer(createProxy({ target, upstreamTimeout: timeout, ...about }), options);
}

/** Starts a proxy to a backend that is nothing but a socket; see `startUpstream`. */
export async function startProxyTo(
  answer: Parameters<typeof startUpstream>[0],
  { base = "", ...options }: TestProxyOptions & { base?: string } = {},
) {
  await using used = new AsyncDisposableStack();
  const { url: target, requests } = used.use(await startUpstream(answer));
  const { url } = used.use(startTestProxy(target + base, options));
  const end = used.move();
  return {
    url,
    target,
    requests,
    /** The last that has come; throws where none has. */
    request() {
      const last = requests.at(-1);
      if (last === undefined) throw new Error("Expected a request.");
      return last;
    },
    [Symbol.asyncDispose]: () => end.disposeAsync(),
  };
}
