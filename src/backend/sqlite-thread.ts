import { SQL } from "bun";
import { Worker } from "node:worker_threads";
import type { Statement } from "./statement.ts";

/** A connection of its own to an SQLite file, on a thread of its own. */
export interface SqliteThread {
  /**
   * Runs one statement after those before it, however long it takes; none after one that failed,
   * which may have ended their transaction.
   *
   * @throws {SQL.SQLiteError}
   */
  run(statement: Statement): Promise<void>;
  /** Ends it; a transaction that is open is undone. */
  close(): Promise<void>;
}

/** As text, so that the one executable holds it. */
const WORK = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { Database } = require("bun:sqlite");
  let database = null;
  let failed = null;
  const open = () => {
    const opened = new Database(workerData.file);
    for (const pragma of workerData.pragmas) opened.run("pragma " + pragma);
    return opened;
  };
  parentPort.on("message", (json) => {
    if (json === null) {
      database?.close();
      parentPort.close();
      return;
    }
    try {
      if (failed !== null) throw failed;
      database ??= open();
      const { text, values } = JSON.parse(json);
      database.run(text, values);
      parentPort.postMessage(null);
    } catch (error) {
      failed = error;
      const { message, code = "SQLITE_ERROR", errno = 1 } = error;
      parentPort.postMessage({ message, code, errno });
    }
  });
`;

interface Failure {
  message: string;
  code: string;
  errno: number;
}

/** Starts a thread; it opens the file, with `pragmas`, for the first statement. */
export function startSqliteThread(file: string, pragmas: readonly string[]): SqliteThread {
  const worker = new Worker(WORK, { eval: true, workerData: { file, pragmas } });
  const waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  const gone = Promise.withResolvers<void>();
  let ended: Error | null = null;

  const end = (error: unknown) => {
    ended ??= new Error("The thread that writes to the database has ended", { cause: error });
    for (const { reject } of waiting.splice(0)) reject(ended);
  };
  worker.on("message", (failure: Failure | null) => {
    const next = waiting.shift();
    if (failure === null) next?.resolve();
    else next?.reject(new SQL.SQLiteError(failure.message, failure));
  });
  worker.once("error", end);
  worker.once("exit", (code) => {
    end(code);
    gone.resolve();
  });

  return {
    run({ texts, values }) {
      if (ended !== null) return Promise.reject(ended);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ resolve, reject });
      // Copying thousands of values takes longer than writing them as text.
      worker.postMessage(JSON.stringify({ text: texts.join("?"), values }), []);
      return promise;
    },
    close() {
      if (ended === null) worker.postMessage(null, []);
      return gone.promise;
    },
  };
}
