import { SQL } from "bun";
import { Worker } from "node:worker_threads";
import { statement, type Statement } from "./statement.ts";

/** A connection of its own to an SQLite file, on a thread of its own. */
export interface SqliteThread {
  /**
   * Runs one statement after those before it, however long it takes; none after one that failed,
   * which may have ended their transaction, until that is undone.
   *
   * @throws {SQL.SQLiteError}
   */
  run(statement: Statement): Promise<void>;
  /** Undoes the transaction that is open, if any. Never rejects: one that has ended has undone it. */
  undo(): Promise<void>;
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
      const { text, values } = JSON.parse(json);
      if (text === "rollback") {
        failed = null;
        if (database?.inTransaction !== true) return parentPort.postMessage(null);
      }
      if (failed !== null) throw failed;
      database ??= open();
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

/** A thread that several pieces of work use at a time, of which only one writes at a time. */
export interface SharedThread {
  /** Lends it, started and with the file open. It ends when nobody has it any more. */
  lend<T>(work: (thread: SqliteThread) => Promise<T>): Promise<T>;
}

/** What is lent, by how many it is had, and how it is ended. */
interface Lent extends SqliteThread {
  opened: Promise<void>;
  users: number;
  ended(): boolean;
  close(): Promise<void>;
}

/** One that opens the file with `pragmas`; others wait for neither its start nor its end. */
export function shareSqliteThread(file: string, pragmas: readonly string[]): SharedThread {
  let current: Lent | null = null;

  return {
    async lend(work) {
      if (current === null || current.ended()) current = startSqliteThread(file, pragmas);
      const thread = current;
      thread.users += 1;
      try {
        await thread.opened;
        return await work(thread);
      } finally {
        thread.users -= 1;
        if (thread.users === 0) {
          if (current === thread) current = null;
          await thread.close();
        }
      }
    },
  };
}

/** Starts a thread; it opens the file for the first statement. */
function startSqliteThread(file: string, pragmas: readonly string[]): Lent {
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

  function run({ texts, values }: Statement): Promise<void> {
    if (ended !== null) return Promise.reject(ended);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push({ resolve, reject });
    // Copying thousands of values takes longer than writing them as text.
    worker.postMessage(JSON.stringify({ text: texts.join("?"), values }), []);
    return promise;
  }

  return {
    opened: run(statement`select count(*) from sqlite_schema`),
    users: 0,
    run,
    undo: () => run(statement`rollback`).catch(() => undefined),
    ended: () => ended !== null,
    close() {
      if (ended === null) worker.postMessage(null, []);
      return gone.promise;
    },
  };
}
