import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Children, readLines } from "./children.ts";
import { startNginx } from "./nginx.ts";

/** A server that serves the site and proxies to the backend. */
export interface Contender {
  name: "Freehold" | "nginx";
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

/**
 * Gives nginx the files that Freehold serves, compressed as well as gzip can, and starts it.
 *
 * @param files Paths beside the page.
 * @returns Null where it is not installed.
 */
export async function startRival(
  children: Children,
  { port }: Contender,
  backendPort: number,
  folder: string,
  files: readonly string[],
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
  const free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const rivalPort = free.port;
  free.stop(true);
  const nginx = await startNginx({ port: rivalPort, folder, site, backendPort, pageHeaders });
  if (nginx === null) return null;
  children.adopt(nginx);
  await answers(rivalPort);
  return { name: "nginx", port: rivalPort, pid: nginx.pid };
}

/** Headers that nginx writes itself. */
const OWN = new Set(
  "content-type content-length content-encoding etag date vary connection".split(" "),
);

async function writeFile(path: string, bytes: Uint8Array) {
  await Bun.write(path, bytes);
  if (!path.endsWith(".bin")) await Bun.write(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

async function answers(port: number) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/home`).catch(() => null);
    if (answer?.ok) return;
    await Bun.sleep(50);
  }
  throw new Error("nginx does not answer.");
}
