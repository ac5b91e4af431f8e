import { readFile } from "node:fs/promises";

/** Milliseconds of processor time for each tick of the kernel's clock. */
const TICK = 10;

const MEGABYTE = 1024;

/** Milliseconds of processor time that a process has used, in user and kernel mode: Linux only. */
export async function readCpu(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** Megabytes of memory that a process holds now: Linux only. */
export function readMemory(pid: number): Promise<number> {
  return readStatus(pid, /^VmRSS:\s+(\d+)/m);
}

/** Megabytes that a process held at most since `forgetPeak`. */
export function readPeak(pid: number): Promise<number> {
  return readStatus(pid, /^VmHWM:\s+(\d+)/m);
}

/** Lets the peak begin anew at what is held now. */
export async function forgetPeak(pid: number): Promise<void> {
  await Bun.write(`/proc/${pid}/clear_refs`, "5");
}

async function readStatus(pid: number, line: RegExp): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(line.exec(status)?.[1]) / MEGABYTE;
}

/** The middle one; of an even number the upper of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
