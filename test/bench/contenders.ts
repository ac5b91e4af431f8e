import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Children, readLines } from "./children.ts";
import { type Setting, startNginx } from "./nginx.ts";
import { ResponseCounter } from "./response-counter.ts";

/** A server that serves the site and proxies to the backend; Bun alone does one of these. */
export interface Contender {
  name: "Freehold" | "nginx" | "Caddy" | "http-proxy-middleware" | "Bun alone";
  port: number;
  pid: number;
}

/** Starts the backend that is proxied to; it needs no more than a port. */
export async function startBackend(children: Children): Promise<number> {
  const backend = children.start([process.execPath, join(import.meta.dir, "backend.ts")]);
  return Number(await readLines(backend)());
}

/** Starts a built executable without a line per request. */
export async function startFreehold(
  children: Children,
  executable: string,
  backendPort: number,
): Promise<Contender> {
  const child = children.start([executable], {
    PORT: "0",
    LOG: "quiet",
    BACKEND_URL: `http://127.0.0.1:${backendPort}`,
  });
  const port = Number(/:(\d+)$/.exec(await readLines(child)())?.[1]);
  return { name: "Freehold", port, pid: child.pid };
}

/** Starts a built executable that writes its line per request into a file, as nginx does. */
export async function startLoggingFreehold(
  children: Children,
  executable: string,
  backendPort: number,
  folder: string,
): Promise<Contender> {
  const port = findFreePort();
  const child = Bun.spawn([executable], {
    stdin: "ignore",
    stdout: Bun.file(join(folder, "freehold.log")),
    stderr: "inherit",
    env: { PORT: String(port), BACKEND_URL: `http://127.0.0.1:${backendPort}` },
  });
  children.adopt(child);
  await waitForAnswer(port);
  return { name: "Freehold", port, pid: child.pid };
}

/** Starts what answers any request with the answer that Freehold gives to this one. */
export async function startAnswering(
  children: Children,
  { port }: Contender,
  request: string,
  folder: string,
): Promise<Contender> {
  const file = join(await mkdtemp(join(folder, "answer-")), "answer");
  await Bun.write(file, await readAnswer(port, request));
  return startAlone(children, ["answer", file]);
}

/** Starts what relays to the backend without any rule. */
export function startRelaying(children: Children, backendPort: number): Promise<Contender> {
  return startAlone(children, ["relay", `${backendPort}`]);
}

async function startAlone(children: Children, task: readonly string[]): Promise<Contender> {
  const child = children.start([process.execPath, join(import.meta.dir, "floor.ts"), ...task]);
  return { name: "Bun alone", port: Number(await readLines(child)()), pid: child.pid };
}

/** All bytes of the answer to a request. */
function readAnswer(port: number, request: string): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const counter = new ResponseCounter();
  const parts: Buffer[] = [];
  const socket = {
    open: (connection: Bun.Socket) => void connection.write(request),
    data(connection: Bun.Socket, bytes: Buffer) {
      parts.push(Buffer.from(bytes));
      if (counter.take(bytes) === 0) return;
      resolve(Buffer.concat(parts));
      connection.end();
    },
    close: () => reject(new Error("The server hung up.")),
  };
  Bun.connect({ hostname: "127.0.0.1", port, socket }).catch(reject);
  return promise;
}

/**
 * Gives nginx the files that Freehold serves, compressed as well as gzip can, and starts it.
 *
 * @param folder An empty one, for all that it needs.
 * @param files Paths beside the page.
 * @returns Null where it is not installed.
 */
export async function startRival(
  children: Children,
  { port }: Contender,
  backendPort: number,
  folder: string,
  files: readonly string[],
  setting: Setting,
): Promise<Contender | null> {
  const site = join(folder, "site");
  await mkdir(site);
  const page = await fetch(`http://127.0.0.1:${port}/home`);
  const pageHeaders = Object.fromEntries([...page.headers].filter(([name]) => !OWN.has(name)));
  await writeFile(join(site, "home.html"), await page.bytes());
  for (const path of files) {
    const file = await fetch(`http://127.0.0.1:${port}${path}`);
    await writeFile(join(site, path), await file.bytes());
  }
  const rivalPort = findFreePort();
  const options = { port: rivalPort, folder, site, backendPort, pageHeaders };
  const nginx = await startNginx(options, setting);
  if (nginx === null) return null;
  children.adopt(nginx);
  await waitForAnswer(rivalPort);
  return { name: "nginx", port: rivalPort, pid: nginx.pid };
}

/** The largest script of the page: React, which every visitor loads. */
export async function findScript({ port }: Contender): Promise<string> {
  const address = `http://127.0.0.1:${port}`;
  const html = await (await fetch(`${address}/home`)).text();
  const paths = html.match(/\/assets\/[\w.-]+\.js/g) ?? [];
  let largest = { path: "", bytes: 0 };
  for (const path of new Set(paths)) {
    const { byteLength: bytes } = await (await fetch(address + path)).bytes();
    if (bytes > largest.bytes) largest = { path, bytes };
  }
  if (largest.bytes === 0) throw new Error("Expected the page to name a script.");
  return largest.path;
}

/** Headers that nginx writes itself. */
const OWN = new Set(
  "content-type content-length content-encoding etag date vary connection".split(" "),
);

async function writeFile(path: string, bytes: Uint8Array) {
  await Bun.write(path, bytes);
  if (!path.endsWith(".bin")) await Bun.write(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

/** A port of the loopback that nobody listens on at this moment. */
export function findFreePort(): number {
  const free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  free.stop(true);
  return free.port;
}

/** Resolves when a server answers a path with success. */
export async function waitForAnswer(port: number, path = "/home"): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    if (answer?.ok) return;
    await Bun.sleep(50);
  }
  throw new Error(`Nothing answers on port ${port}.`);
}
