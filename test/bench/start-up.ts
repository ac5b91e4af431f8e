import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Children, readLines } from "./children.ts";
import { median } from "./measure.ts";

const ROUNDS = 7;

/**
 * Milliseconds from the start of a process to the whole of its first page, over a register of its own
 * that has to be created; the median.
 */
export async function measureStart(command: string[], cwd: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const folder = await mkdtemp(join(tmpdir(), "freehold-bench-"));
    await using children = new Children();
    const began = performance.now();
    const env = { PORT: "0", NODE_ENV: "production", DATABASE_URL: `sqlite://${folder}/db` };
    const child = children.start(command, env, cwd);
    const port = /:(\d+)$/.exec(await readLines(child)())?.[1];
    await readPage(Number(port));
    times.push(performance.now() - began);
    await rm(folder, { recursive: true });
  }
  return median(times);
}

/** Asks for the page on a connection of its own; resolves when all of it is there. */
function readPage(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1", () =>
    socket.write("GET /home HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
  );
  socket.on("error", reject);
  socket.on("data", () => undefined);
  socket.on("close", () => resolve());
  return promise;
}
