import type { AccessLog } from "../../src/server/access-log.ts";
import type { Api } from "../../src/shared/api.ts";
import { createFrontDoor } from "../../src/server/front-door.ts";
import { LongLived } from "../../src/server/long-lived.ts";
import { createProxy } from "../../src/server/proxy/proxy.ts";
import { createResource } from "../../src/server/static/resource.ts";
import type { Patience } from "../../src/server/patience.ts";
import { UploadBudget } from "../../src/server/upload-budget.ts";
import { tunnelHandler } from "../../src/server/websockets/switch-protocols.ts";
import type { Site } from "../../src/server/site/site.ts";

/** A listener of this process that answers as the real server does. */
export interface Door extends AsyncDisposable {
  url: string;
}

const text = (content: string) => new TextEncoder().encode(content);

const RESOURCES = new Map([
  ["/robots.txt", createResource(text("User-agent: *"), { "Content-Type": "text/plain" })],
  ["/home", createResource(text("<h1>Home</h1>"), { "Content-Type": "text/html" })],
]);

/** A site of one screen and one file. */
export const smallSite: Site = {
  find: (path) => RESOURCES.get(path),
  notFound: () => createResource(text("<h1>Nothing</h1>"), { "Content-Type": "text/html" }),
};

interface DoorOptions {
  trustProxy?: boolean;
  site?: Site;
  /** Bytes. */
  mostUploaded?: number;
  patience?: Partial<Patience>;
  log?: AccessLog;
}

/** Opens a front door over an API of the test's own. */
export function openDoor(api: Api, options: DoorOptions = {}): Door {
  const { trustProxy = false, site = smallSite, mostUploaded = 268_435_456 } = options;
  const { log = null } = options;
  const patience = { idle: 20, answer: 20, upload: 255, ...options.patience };
  const door = createFrontDoor({
    site,
    uploads: new UploadBudget({ most: mostUploaded, each: 1_000_000 }),
    api,
    patience,
    longLived: new LongLived(),
    trust: { tls: false, trustProxy },
    log,
  });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    idleTimeout: patience.idle,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: door,
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

interface ProxyOptions {
  timeout?: number;
  trustProxy?: boolean;
  authorities?: string;
  patience?: Partial<Patience>;
}

/** Opens a front door whose API is a proxy to `target`. */
export function openProxy(target: string, options: ProxyOptions = {}): Door {
  const { timeout = 10, trustProxy = false, authorities = null, patience = {} } = options;
  return openDoor(createProxy({ target, timeout, trustProxy, authorities }), {
    trustProxy,
    patience,
  });
}
