import { KILOBYTE_OF_JSON } from "./backend.ts";
import type { Contender } from "./contenders.ts";
import type { Load, LoadResult } from "./load-generator.ts";
import { median, readCpu } from "./process-cost.ts";

export type Generate = (load: Load) => Promise<LoadResult>;

/** What a server made of one kind of request: medians over the rounds. */
export interface Throughput {
  requestsPerSecond: number;
  megabytesPerSecond: number;
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

/**
 * Puts the same load on each server by turns, after each was warmed.
 *
 * @param rate Requests a second; as many as each takes where it is left out.
 */
export async function measureThroughput(
  generate: Generate,
  contenders: readonly Contender[],
  request: string,
  { connections = CONNECTIONS, rate }: { connections?: number; rate?: number } = {},
): Promise<Throughput[]> {
  const load = { request, connections, ...(rate ? { rate } : {}), warmUp: 0.1, seconds: 0.9 };
  const rounds = contenders.map((): Throughput[] => []);
  for (const { port } of contenders) await generate({ ...load, port });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, { port, pid }] of contenders.entries()) {
      const before = await readCpu(pid);
      const result = await generate({ ...load, port });
      rounds[at]?.push(summarise(result, (await readCpu(pid)) - before));
    }
  }
  return rounds.map((each) => ({
    requestsPerSecond: median(each.map(({ requestsPerSecond }) => requestsPerSecond)),
    megabytesPerSecond: median(each.map(({ megabytesPerSecond }) => megabytesPerSecond)),
    p99: median(each.map(({ p99 }) => p99)),
    cpu: median(each.map(({ cpu }) => cpu)),
  }));
}

function summarise(result: LoadResult, cpu: number): Throughput {
  return {
    requestsPerSecond: result.requests / result.seconds,
    megabytesPerSecond: result.bytes / result.seconds / 1_048_576,
    p99: result.p99 / 1000,
    cpu: (cpu * 1000) / result.total,
  };
}
