import { readFile } from "node:fs/promises";

/** Milliseconds of processor time for each tick of the kernel's clock. */
const TICK = 10;

/** Milliseconds of processor time that a process has used, in user and kernel mode: Linux only. */
export async function readCpu(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** The middle one; of an even number the upper of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
