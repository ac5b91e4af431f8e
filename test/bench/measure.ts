import { SQL } from "bun";
import { readFile } from "node:fs/promises";
import type { ApiClient } from "../support/api-client.ts";

/** Milliseconds of processor time for each tick of the kernel's clock. */
const TICK = 10;

/** Milliseconds of processor time that a process has used, in user and kernel mode: Linux only. */
export async function readCpu(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** The nearest rank, so of less than a hundred p99 is the longest; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** What Postgres does by itself before long; the tests' own server has it turned off. */
export async function vacuum(url: string): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  await sql`vacuum analyze`;
}

/**
 * Each waits for its answer and then a while: requests at a fixed rate are more than one processor can
 * answer of a large register, and a backlog that grows while something runs keeps that waiting too.
 */
const PAUSES_MS = { reads: 20, edits: 200 };

const READS = [
  "/api/domains?limit=50&sort=name",
  "/api/domains?limit=100",
  "/api/domains/{id}",
  "/api/domains?q=name-1&sort=-expires,name",
  "/api/summary",
  "/api/domains?tld=test&autoRenew=!true&sort=name",
  "/api/domains/{id}/history",
  "/api/domains?expiresBefore=2027-06-01&sort=registrar,name",
];

/**
 * How long others wait for reads and for edits of one domain while something happens: milliseconds as
 * p50 / p99 / longest, where a request that was refused is "∞".
 */
export async function watchOthers(
  client: ApiClient,
  id: string,
  work: () => Promise<unknown>,
): Promise<{ reads: string; edits: string }> {
  const state = { isOver: false };
  async function ask(kind: keyof typeof PAUSES_MS): Promise<string> {
    const times: number[] = [];
    for (let turn = 0; !state.isOver; turn += 1) {
      const edit = { method: "PATCH", json: { notes: `${turn}` }, headers: { "If-Match": "*" } };
      const read = READS[turn % READS.length] ?? "";
      const start = performance.now();
      const response = await (kind === "edits"
        ? client.request(`/api/domains/${id}`, edit)
        : client.request(read.replace("{id}", id)));
      await response.arrayBuffer();
      times.push(response.ok ? performance.now() - start : Infinity);
      await Bun.sleep(PAUSES_MS[kind]);
    }
    const shown = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(0));
    return shown.join(" / ").replaceAll("Infinity", "∞");
  }
  const asked = Promise.all([ask("reads"), ask("edits")]);
  await work().finally(() => (state.isOver = true));
  const [reads, edits] = await asked;
  return { reads, edits };
}
