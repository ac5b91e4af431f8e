import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createBackend,
  examineInstallation,
  OPTION_CHECKS,
  SECRET_PATHS,
} from "./src/backend/backend.ts";
import { createResetCode } from "./src/backend/auth/people/invitations.ts";
import { backUp } from "./src/backend/backup/backup.ts";
import { restore } from "./src/backend/backup/restore.ts";
import { createTimeouts } from "./src/server/api-handler.ts";
import { type Config, readConfig, readLogFormat } from "./src/server/config/config.ts";
import { describeUsage, parseCommandLine } from "./src/server/config/variables.ts";
import {
  createDeferredApi,
  explainListening,
  localUrl,
  raiseRequestLimit,
  shutDownGracefully,
} from "./src/server/lifecycle.ts";
import { createAccessLog, createMetrics } from "./src/server/observers.ts";
import { OpenConnections } from "./src/server/open-connections.ts";
import { createProxy } from "./src/server/proxy/proxy.ts";
import { createRequestHandler } from "./src/server/request-handler.ts";
import { createHostCheck } from "./src/server/request-target.ts";
import { buildSite } from "./src/server/site/bundle.ts";
import {
  createDevelopmentSite,
  createProductionSite,
  DEVELOPMENT_PAGE,
  EMBEDDED_SITE_FILE,
  openEmbeddedSite,
  type Site,
} from "./src/server/site/site.ts";
import { tunnelHandler } from "./src/server/websockets/handshake.ts";
import { type Api, cookieNameAt } from "./src/shared/api.ts";
import { XSRF_COOKIE } from "./src/shared/session.ts";
import { log, OperatorError, setLogFormat } from "./src/shared/log.ts";
import { describeVersion } from "./src/shared/version.ts";

const root = import.meta.dir;

const COMMANDS = { backup: backUp, restore };

setLogFormat(readLogFormat(environment()));
try {
  const command = parseCommandLine(process.argv.slice(2));
  if ("file" in command) await COMMANDS[command.kind](configuration().databaseUrl, command.file);
  else if (command.kind === "help") console.log(describeUsage());
  else if (command.kind === "version") console.log(describeVersion());
  else if (command.kind === "owner reset") await resetOwner(configuration());
  else if (command.kind === "doctor") process.exitCode = await reportHealth(configuration());
  else if (command.kind === "demo") await startDemo();
  else await start(configuration());
} catch (error) {
  if (error instanceof OperatorError) log.error(error.message);
  else log.error("The start failed", error);
  process.exit(1);
}

/** Prints a link whose fragment, which browsers do not send, sets a new password. */
async function resetOwner(config: Config) {
  const { code, owners, address } = await createResetCode(config.databaseUrl);
  const url = config.publicUrl ?? address ?? localUrl(config, config.port);
  const [email = "", ...others] = owners;
  const link = new URLSearchParams({ reset: code, ...(others.length === 0 && { email }) });
  console.log(`For the account ${owners.join(" or ")}.`);
  console.log(`Open this link within an hour to choose a new password:\n${url}/home#${link}`);
}

function configuration(): Config {
  return readConfig(environment(), OPTION_CHECKS);
}

/** An executable is always in production mode: it has no sources to reload. */
function environment(): Record<string, string | undefined> {
  return Bun.isStandaloneExecutable ? { ...process.env, NODE_ENV: "production" } : process.env;
}

/** Prints a line for each thing that is looked at. @returns The exit code. */
async function reportHealth(config: Config): Promise<0 | 1> {
  let exitCode: 0 | 1 = 0;
  for await (const { level, about, text } of examineInstallation(config)) {
    if (level === "fail") exitCode = 1;
    console.log(`${level.padEnd(5)} ${about.padEnd(8)} ${text}`);
  }
  return exitCode;
}

/** Shows the sample domains on the loopback, without a password, until it ends. */
async function startDemo() {
  const folder = await mkdtemp(join(tmpdir(), "freehold-demo-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const { PORT, LOG } = environment();
  const DATABASE_URL = `sqlite://${join(folder, "demo.sqlite")}`;
  await start(readConfig({ PORT, LOG, DATABASE_URL, NODE_ENV: "production", CHECKS: "off" }), true);
  log.info(
    "This is a demonstration: it asks for no password, and keeps nothing once it has ended.",
  );
}

async function start(config: Config, isDemo = false) {
  const { backendUrl } = config;
  if (backendUrl !== null) raiseRequestLimit();
  let url = "";
  const site = await openSite(config, () => url);
  const starting = Promise.withResolvers<Api>();
  const api =
    backendUrl === null
      ? createDeferredApi(starting.promise)
      : createProxy({ ...config, target: backendUrl, secretPaths: SECRET_PATHS });
  const metrics = config.metrics ? createMetrics(api) : null;
  const observers = metrics ? [metrics.observe] : [];
  if (config.log !== "quiet")
    observers.push(createAccessLog(SECRET_PATHS, config.log, api.routeOf));
  const openConnections = new OpenConnections();
  const timeouts = createTimeouts(config);
  const allowsHost = createHostCheck(config);
  const answering = { config, site, api, openConnections, timeouts, allowsHost };
  const handler = createRequestHandler({ ...answering, metrics, observers });
  const page =
    Bun.isStandaloneExecutable || config.production
      ? null
      : (await import("./src/client/index.html")).default;
  const server = listen(config, handler, page);
  url = localUrl(config, server.port ?? config.port);
  try {
    const backend =
      backendUrl === null ? await createBackend({ ...config, address: url, isDemo }) : null;
    if (backend) starting.resolve(backend);
    shutDownGracefully({ server, openConnections, api });
    announce(url, config, backend?.setUpCode ?? null);
  } catch (error) {
    starting.reject(error);
    await server.stop(true);
    throw error;
  }
}

/**
 * The size of bodies is limited by who reads them: a forwarded one has no limit.
 * @param page Bun's HTML import, which brings hot reload; null in production.
 */
function listen(
  config: Config,
  handler: ReturnType<typeof createRequestHandler>,
  page: Bun.HTMLBundle | null,
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
      development: page ? { hmr: true, chromeDevToolsAutomaticWorkspaceFolders: false } : false,
      ...(page ? { routes: { [DEVELOPMENT_PAGE]: page } } : {}),
      fetch: handler,
      websocket: tunnelHandler,
    });
  } catch (error) {
    throw explainListening(error, config);
  }
}

/** @param serverUrl Where this server answers, in development. */
async function openSite(config: Config, serverUrl: () => string): Promise<Site> {
  const { production, brand, basePath, backendUrl } = config;
  // A backend of the operator's own names its cookies itself.
  const xsrfCookie = backendUrl === null ? cookieNameAt(basePath, XSRF_COOKIE) : XSRF_COOKIE;
  const settings = { brand, basePath, xsrfCookie };
  if (Bun.isStandaloneExecutable)
    return openEmbeddedSite(await Bun.file(join(root, EMBEDDED_SITE_FILE)).arrayBuffer(), settings);
  if (production) return createProductionSite(await buildSite(root), settings);
  return createDevelopmentSite(settings, join(root, "public"), serverUrl);
}

/** @param code What creates the owner; null if there is one already. */
function announce(url: string, config: Config, code: string | null) {
  const { brand, production, backendUrl, publicUrl, setupCode, trustProxy, trustedProxies } =
    config;
  if (trustProxy && trustedProxies.length === 0) {
    log.warn(
      "TRUST_PROXY=1 believes every client: set TRUSTED_PROXIES to the networks of your proxy instead.",
    );
  }
  const lines = [
    `${brand} ${production ? "production" : "development"} on ${url}`,
    `/api/ is answered by ${backendUrl ?? "the embedded backend"}`,
  ];
  // The operator's own code is kept out of the log. A random one stands in the fragment, which
  // browsers do not send, so that no access log shows it.
  const home = `${publicUrl ?? url}/home`;
  if (code !== null && setupCode !== null)
    lines.push(`Set it up at ${home} with the code in SETUP_CODE`);
  else if (code !== null) lines.push(`Set it up at ${home}#set-up=${encodeURIComponent(code)}`);
  log.info(...lines);
}
