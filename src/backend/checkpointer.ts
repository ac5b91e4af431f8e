import { stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";

/** Folds the log of an SQLite file back into it, when there is enough of it. */
export interface Checkpointer {
  /** To be called after each write. Does not wait, and never fails: the next call tries again. */
  consider(): void;
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/** Bytes of the log that are worth the work: a thousand pages, as SQLite itself has it. */
export const LOG_BYTES = 4_194_304;

/** As text, so that the one executable holds it. */
const WORK = `
  const { workerData } = require("node:worker_threads");
  const { Database } = require("bun:sqlite");
  const database = new Database(workerData);
  database.run("pragma synchronous = full");
  database.query("pragma wal_checkpoint(passive)").get();
  database.close();
`;

/**
 * Checkpoints on a thread of its own. SQLite would do it inside the commit that makes the log long
 * enough: after a large import, a tenth of a second in which nobody is answered. A passive
 * checkpoint keeps neither readers nor the writer waiting (sqlite.org/wal.html §3.2). The connection
 * that writes has to have `wal_autocheckpoint` 0 and `journal_size_limit` of `LOG_BYTES`, so that a
 * log which is used anew is short.
 */
export function createCheckpointer(file: string): Checkpointer {
  let running: Promise<void> | null = null;

  async function checkpoint(): Promise<void> {
    const log = await stat(`${file}-wal`).catch(() => null);
    if (log !== null && log.size > LOG_BYTES) await work(file);
  }

  return {
    consider() {
      running ??= checkpoint().finally(() => {
        running = null;
      });
    },
    stop: async () => {
      await running;
    },
  };
}

function work(file: string): Promise<void> {
  const worker = new Worker(WORK, { eval: true, workerData: file });
  return new Promise((resolve) => {
    worker.once("error", (error) => {
      console.error("The log of the database could not be folded into it:", error);
    });
    worker.once("exit", () => resolve());
  });
}
