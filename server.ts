import { join } from "node:path";
import manifest from "./package.json" with { type: "json" };
import { createBackend } from "./src/backend/backend.ts";
import { DatabaseError } from "./src/backend/database/database-error.ts";
import { writeAccess } from "./src/server/access-log.ts";
import type { Api } from "./src/shared/api.ts";
import { apiToCome } from "./src/server/api-to-come.ts";
import {
  CommandLineError,
  describeUsage,
  parseCommandLine,
} from "./src/server/config/command-line.ts";
import { type Config, readConfig } from "./src/server/config/config.ts";
import { createDevelopmentSite } from "./src/server/site/development-site.ts";
import { ConfigError } from "./src/server/config/environment-reader.ts";
import { createFrontDoor } from "./src/server/front-door.ts";
import { listen, ListenError } from "./src/server/listen.ts";
import { LongLived } from "./src/server/long-lived.ts";
import { ownUrl } from "./src/server/own-url.ts";
import { buildSite } from "./src/server/site/build-output.ts";
import { EMBEDDED_SITE_FILE, openEmbeddedSite } from "./src/server/site/embedded-site.ts";
import { createPatience } from "./src/server/patience.ts";
import { createProxy } from "./src/server/proxy/proxy.ts";
import { endInOrder } from "./src/server/shutdown.ts";
import { createProductionSite, type Site } from "./src/server/site/site.ts";
import { UploadBudget } from "./src/server/upload-budget.ts";

const root = import.meta.dir;

/** Where Bun's own page lives in development: nobody can guess it, only this server asks for it. */
const pagePath = `/${crypto.randomUUID()}`;

/** Bytes that the bodies of all requests may hold together, and that one holds which is passed on. */
const UPLOADS_IN_FLIGHT = 268_435_456;
const PASSED_ON = 262_144;

/** Errors whose message is for the operator: one that tells what to do, without a stack. */
const EXPECTED = [CommandLineError, ConfigError, DatabaseError, ListenError];

try {
  const command = parseCommandLine(process.argv.slice(2));
  if (command === "help") console.log(describeUsage(manifest.name));
  else if (command === "version") console.log(manifest.version);
  else await start(readConfig(environment()));
} catch (error) {
  const expected = EXPECTED.some((kind) => error instanceof kind);
  console.error(expected && error instanceof Error ? error.message : error);
  process.exit(1);
}

/** An executable is never in development: it has nothing to develop. */
function environment(): Record<string, string | undefined> {
  return Bun.isStandaloneExecutable ? { ...process.env, NODE_ENV: "production" } : process.env;
}

async function start(config: Config) {
  let url = "";
  const site = await openSite(config, () => url + pagePath);
  const opening = Promise.withResolvers<Api>();
  const api = config.backendUrl === null ? apiToCome(opening.promise) : openProxy(config);
  const longLived = new LongLived();
  const server = await open(config, { site, api, longLived });
  url = ownUrl(config, server.port ?? config.port);
  try {
    const backend = config.backendUrl === null ? await createBackend(config) : null;
    if (backend) opening.resolve(backend);
    endInOrder(server, longLived, api);
    announce(config, url, backend?.setUpCode ?? null);
  } catch (error) {
    opening.reject(error);
    await server.stop(true);
    throw error;
  }
}

/** @param pageUrl Where this server has Bun's own page, in development. */
async function openSite({ production, brand }: Config, pageUrl: () => string): Promise<Site> {
  if (Bun.isStandaloneExecutable)
    return openEmbeddedSite(await Bun.file(join(root, EMBEDDED_SITE_FILE)).arrayBuffer(), brand);
  if (production) return createProductionSite(await buildSite(root), brand);
  return createDevelopmentSite({ brand, publicFolder: join(root, "public"), pageUrl });
}

function openProxy({ backendUrl, upstreamTimeout, trustProxy, backendAuthorities }: Config): Api {
  if (backendUrl === null) throw new TypeError("A proxy needs a backend.");
  return createProxy({
    target: backendUrl,
    timeout: upstreamTimeout,
    trustProxy,
    authorities: backendAuthorities,
  });
}

async function open(config: Config, parts: { site: Site; api: Api; longLived: LongLived }) {
  const door = createFrontDoor({
    ...parts,
    uploads: new UploadBudget({
      most: UPLOADS_IN_FLIGHT,
      each: config.backendUrl === null ? config.maxUploadBytes : PASSED_ON,
    }),
    patience: createPatience(config),
    trust: { tls: config.tls !== null, trustProxy: config.trustProxy },
    log: config.log === "access" ? writeAccess : null,
  });
  if (!Bun.isStandaloneExecutable && !config.production) {
    const { default: page } = await import("./src/client/index.html");
    return listen(config, door, { page, path: pagePath });
  }
  return listen(config, door);
}

function announce({ brand, production, backendUrl }: Config, url: string, code: string | null) {
  const lines = [
    `${brand} ${production ? "production" : "development"} on ${url}`,
    `/api/ is answered by ${backendUrl ?? "the embedded backend"}`,
  ];
  // The code stands in the fragment, which a browser keeps to itself: no log ever shows it.
  if (code !== null) lines.push(`Set it up at ${url}/home#set-up=${encodeURIComponent(code)}`);
  console.log(lines.join("\n"));
}
