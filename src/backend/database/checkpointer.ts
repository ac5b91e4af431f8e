import { open, stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";

/** Folds the log of an SQLite file back into it, when there is enough of it. */
export interface Checkpointer {
  /**
   * To be called after each write; `busy` while thousands of rows are being written, which a
   * checkpoint would slow down. Does not wait, and never fails: the next call tries again.
   */
  consider(busy: boolean): void;
  /** Waits for what is under way, and begins nothing any more. */
  stop(): Promise<void>;
}

/** Pages in the log that are worth the work: as many as SQLite itself has it. */
const LONG = 1000;

/** The same while much is being written. */
const LONG_WHEN_BUSY = 25_000;

/** So many times that is too long: it grows faster than it is folded in. */
const TOO_LONG = 4;

/** How long nobody may have written before the log is cut: milliseconds. */
const IDLE = 1000;

/** Bytes up to which that is not worth the work. */
export const LOG_BYTES = 4_194_304;

/** What a checkpoint does with the log when it is folded in. */
type Mode = "passive" | "truncate";

/** As text, so that the one executable holds it. */
const WORK = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { Database } = require("bun:sqlite");
  const database = new Database(workerData.file);
  database.run("pragma synchronous = full");
  parentPort.postMessage(database.query("pragma wal_checkpoint(" + workerData.mode + ")").get().log);
  database.close();
`;

/**
 * Checkpoints on a thread of its own. SQLite would do it inside the commit that makes the log long
 * enough: after a large import, a tenth of a second in which nobody is answered. A passive
 * checkpoint keeps neither readers nor the writer waiting (sqlite.org/wal.html §3.2). When all of the
 * log is folded in, it is used anew from its start. Where somebody writes all the time, it never is: of
 * one that is too long, the rest is folded in in `turn`, while nobody else writes. So is its file cut
 * when nobody has written for a while: that takes half a millisecond for each megabyte. The
 * connections that write have to have `wal_autocheckpoint` 0.
 */
export function createCheckpointer(
  file: string,
  turn: (work: () => Promise<unknown>) => Promise<unknown>,
): Checkpointer {
  const log = `${file}-wal`;
  let running: Promise<void> | null = null;
  let idle: Timer | undefined;
  let stopped = false;

  function run(work: () => Promise<void>): void {
    running ??= work().finally(() => {
      running = null;
    });
  }

  async function fold(pages: number): Promise<void> {
    if (!(await isLonger(log, pages))) return;
    const folded = await checkpoint(file, "passive");
    if (folded > TOO_LONG * pages && (await isLonger(log, folded))) {
      await turn(() => checkpoint(file, "passive"));
    }
  }

  async function cut(): Promise<void> {
    const { size } = await stat(log).catch(() => ({ size: 0 }));
    if (size > LOG_BYTES) await turn(() => checkpoint(file, "truncate"));
  }

  function cutWhenIdle(): void {
    idle = setTimeout(() => (running === null ? run(cut) : cutWhenIdle()), IDLE).unref();
  }

  return {
    consider(busy) {
      if (stopped) return;
      run(() => fold(busy ? LONG_WHEN_BUSY : LONG));
      clearTimeout(idle);
      if (!busy) cutWhenIdle();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(idle);
      await running;
    },
  };
}

/**
 * Whether more than some pages are in use of a log, whatever the size of its file: those that carry
 * the salt of its head (sqlite.org/fileformat2.html §4.1). False where that cannot be told.
 */
async function isLonger(log: string, pages: number): Promise<boolean> {
  const file = await open(log, "r").catch(() => null);
  if (file === null) return false;
  try {
    const head = Buffer.alloc(32);
    await file.read(head, 0, 32, 0);
    const page = Buffer.alloc(24);
    await file.read(page, 0, 24, 32 + pages * (24 + head.readUInt32BE(8)));
    return page.readUInt32BE(0) > 0 && page.subarray(8, 16).equals(head.subarray(16, 24));
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

/**
 * How many pages the log had when it began, all of which it folds in unless somebody still reads what
 * was there before. Gives up at once where it would have to wait: there will be a next time.
 */
function checkpoint(file: string, mode: Mode): Promise<number> {
  const worker = new Worker(WORK, { eval: true, workerData: { file, mode } });
  return new Promise((resolve) => {
    let pages = 0;
    worker.once("message", (log: number) => {
      pages = log;
    });
    worker.once("error", (error) => {
      console.error("The log of the database could not be folded into it:", error);
    });
    worker.once("exit", () => resolve(pages));
  });
}
