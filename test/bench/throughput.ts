import { KILOBYTE_OF_JSON } from "./backend.ts";
import type { Load, LoadResult } from "./load-generator.ts";
import { median, readCpu } from "./measure.ts";

/** A server that is measured. */
export interface Contender {
  port: number;
  pid: number;
}

/** What a server made of one kind of request: medians over the rounds. */
interface Throughput {
  requestsPerSecond: number;
  /** Milliseconds. */
  p99: number;
  /** Microseconds of processor time for each request. */
  cpu: number;
}

const ROUNDS = 5;
const CONNECTIONS = 64;

/** A request for a path, as a browser that takes gzip would send it. */
export function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nAccept-Encoding: gzip\r\n\r\n`;
}

/** A request that carries as much JSON as it is answered with. */
export function post(path: string): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json`;
  return `${head}\r\nContent-Length: ${KILOBYTE_OF_JSON.length}\r\n\r\n${KILOBYTE_OF_JSON}`;
}

/** Puts the same load on each server by turns, after each was warmed. */
export async function measureThroughput(
  generate: (load: Load) => Promise<LoadResult>,
  contenders: readonly Contender[],
  request: string,
): Promise<Throughput[]> {
  const load = { request, connections: CONNECTIONS, warmUp: 0.1, seconds: 0.9 };
  const rounds = contenders.map((): Throughput[] => []);
  for (const { port } of contenders) await generate({ ...load, port });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, { port, pid }] of contenders.entries()) {
      const before = await readCpu(pid);
      const { requests, seconds, p99, total } = await generate({ ...load, port });
      rounds[at]?.push({
        requestsPerSecond: requests / seconds,
        p99: p99 / 1000,
        cpu: (((await readCpu(pid)) - before) * 1000) / total,
      });
    }
  }
  return rounds.map((each) => ({
    requestsPerSecond: median(each.map(({ requestsPerSecond }) => requestsPerSecond)),
    p99: median(each.map(({ p99 }) => p99)),
    cpu: median(each.map(({ cpu }) => cpu)),
  }));
}
