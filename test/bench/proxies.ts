import { join } from "node:path";
import type { Children } from "./children.ts";
import { type Contender, findFreePort, waitForAnswer } from "./contenders.ts";

const MIDDLEWARE = "http-proxy-middleware@3.0.10";

/** The least program around it: everything goes to the target, by the package's defaults. */
const MIDDLEWARE_SERVER = `
import { createServer } from "node:http";
import { createProxyMiddleware } from "http-proxy-middleware";
const [port, target] = process.argv.slice(2);
const proxy = createProxyMiddleware({ target });
createServer((request, response) => proxy(request, response)).listen(Number(port), "127.0.0.1");
`;

/** Starts Caddy as a plain reverse proxy, without a log; null where it is not installed. */
export async function startCaddy(
  children: Children,
  backendPort: number,
  folder: string,
): Promise<Contender | null> {
  const program = Bun.which("caddy");
  if (program === null) return null;
  const port = findFreePort();
  const file = join(folder, "Caddyfile");
  const options = "{\n  admin off\n  log {\n    level ERROR\n  }\n}";
  const site = `http://127.0.0.1:${port} {\n  reverse_proxy 127.0.0.1:${backendPort}\n}`;
  await Bun.write(file, `${options}\n${site}\n`);
  const command = [program, "run", "--adapter", "caddyfile", "--config", file];
  const child = children.start(command, { HOME: folder });
  await waitForAnswer(port, "/api/json");
  return { name: "Caddy", port, pid: child.pid };
}

/** Installs http-proxy-middleware and runs it on Node; null where either cannot be had. */
export async function startMiddleware(
  children: Children,
  backendPort: number,
  folder: string,
): Promise<Contender | null> {
  const node = Bun.which("node");
  if (node === null) return null;
  await Bun.write(join(folder, "package.json"), "{}");
  const install = Bun.spawn([process.execPath, "add", "--silent", MIDDLEWARE], { cwd: folder });
  if ((await install.exited) !== 0) return null;
  const file = join(folder, "server.mjs");
  await Bun.write(file, MIDDLEWARE_SERVER);
  const port = findFreePort();
  const command = [node, file, `${port}`, `http://127.0.0.1:${backendPort}`];
  const child = children.start(command, { NODE_ENV: "production" });
  await waitForAnswer(port, "/api/json");
  return { name: "http-proxy-middleware", port, pid: child.pid };
}
