import { readFileSync } from "node:fs";

/** Bytes that a process holds in memory now, or held at most (`VmHWM`), as Linux knows it. */
export function residentMemory(pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`Expected process ${pid} to have memory.`);
  return Number(kilobytes) * 1024;
}

/** The most that a process held while something ran, beyond what it held before, in bytes. */
export async function memoryDuring(pid: number, run: () => Promise<void>): Promise<number> {
  const before = residentMemory(pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, residentMemory(pid))), 20);
  await run().finally(() => clearInterval(watch));
  return Math.max(most, residentMemory(pid)) - before;
}
