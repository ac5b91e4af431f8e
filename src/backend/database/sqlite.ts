import { SQL } from "bun";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseError, explainOpening, UnavailableError } from "./database-error.ts";
import type { BulkJob, Database } from "./database.ts";
import { createQueue } from "./queue.ts";

/**
 * The program of the worker thread. The executable holds it under its path in the source tree, seen
 * from `server.ts`: `build-executable.ts` adds it, as the bundler does not follow this path.
 */
const WORKER = Bun.isStandaloneExecutable
  ? "./src/backend/bulk-worker.ts"
  : new URL("../bulk-worker.ts", import.meta.url).href;

/** How long a write and a bulk job wait for the writers before them. */
const WRITE_WAIT_MS = 5000;
const BULK_WAIT_MS = 60_000;

/** How long a worker waits for another job before it ends. */
const IDLE_WORKER_MS = 5000;

const PRAGMAS = [
  "synchronous = full",
  "foreign_keys = on",
  // A negative number is in KiB: a search of 20,000 names reads 2 MB, which should stay in memory.
  "cache_size = -32768",
  // Bytes to which the write-ahead log is cut once it is folded into the database: 16 MiB.
  "journal_size_limit = 16777216",
];

/** As `openDatabase`; creates the file and its folder, readable by the owner only, where missing. */
export async function openSqlite(url: string): Promise<Database> {
  const file = databaseFile(url);
  const connections: SQL[] = [];
  try {
    createFile(file);
    const writer = await connectSqlite(file);
    connections.push(writer);
    // SQLite waits inside the call, where it would keep the thread from everybody: see `beginImmediate`.
    await writer`pragma busy_timeout = 0`;
    const reader = await connectSqlite(file);
    connections.push(reader);
    await reader`pragma query_only = on`;
    return createDatabase(file, reader, writer);
  } catch (error) {
    for (const sql of connections) await sql.close().catch(() => undefined);
    throw explainOpening(file, error);
  }
}

/** Opens a connection to an existing file with the settings that every connection needs. */
export async function connectSqlite(file: string): Promise<SQL> {
  const sql = new SQL({ adapter: "sqlite", filename: file });
  try {
    // First, so that all that follow wait for a second instance which is starting too.
    await sql`pragma busy_timeout = 5000`;
    await switchToWal(sql);
    for (const pragma of PRAGMAS) await sql.unsafe(`pragma ${pragma}`);
    return sql;
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/** The absolute path of the file that a `sqlite:` URL names. @throws {DatabaseError} */
export function databaseFile(url: string): string {
  const path = /^sqlite:(?:\/\/)?(?!\/*$)(?<path>[^?#]+)$/i.exec(url)?.groups?.["path"];
  if (path === undefined || path === ":memory:") {
    throw new DatabaseError("The database URL must be sqlite://<file>, but it names no file");
  }
  return resolve(path);
}

/**
 * Bun.SQL does not isolate concurrent callers on one SQLite connection: a transaction would take in,
 * and roll back, what others write meanwhile. So each connection has a queue. There are two, because
 * the write-ahead log lets readers see the previous state while a write is under way.
 */
function createDatabase(file: string, reader: SQL, writer: SQL): Database {
  const reads = createQueue();
  const writes = createQueue();
  let closing: Promise<void> | null = null;

  const write = <T>(work: (sql: SQL) => Promise<T>) =>
    writes(() => beginImmediate(writer, work), WRITE_WAIT_MS);

  async function shut() {
    await reads(() => reader.close());
    await writes(() => writer`pragma wal_checkpoint(truncate)`).catch(() => undefined);
    await writer.close();
  }

  return {
    place: file,
    read: (work) => reads(() => reader.begin("deferred", work)),
    async snapshot(work) {
      const sql = await connectSqlite(file);
      return sql.begin("deferred", work).finally(() => sql.close());
    },
    write,
    async writeMany(job, input) {
      // A thread takes up to seconds to load on a busy machine, in which others may write.
      const worker = takeIdleWorker() ?? (await startWorker());
      try {
        const result = await writes(() => {
          if (closing !== null) throw new UnavailableError("The database is being closed");
          return runInWorker(worker, file, job, input);
        }, BULK_WAIT_MS);
        keepIdle(worker);
        return result;
      } catch (error) {
        worker.terminate();
        throw error;
      }
    },
    migrate: write,
    close: () => (closing ??= shut()),
  };
}

function createFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new DatabaseError(`The database ${file} cannot be created or written (${reason})`, {
      cause: error,
    });
  }
}

/**
 * Runs `work` in a transaction that holds the write lock. While another process or connection holds
 * it, the event loop goes on.
 *
 * @throws SQLite's "busy" where the lock was not free within `WRITE_WAIT_MS`.
 */
async function beginImmediate<T>(writer: SQL, work: (sql: SQL) => Promise<T>): Promise<T> {
  const endsAt = performance.now() + WRITE_WAIT_MS;
  let started = false;
  const once = (sql: SQL) => {
    started = true;
    return work(sql);
  };
  for (;;) {
    try {
      return await writer.begin("immediate", once);
    } catch (error) {
      if (started || !isBusy(error) || performance.now() > endsAt) throw error;
      await Bun.sleep(5);
    }
  }
}

/** SQLite answers "busy" at once here, without its usual wait, while another instance starts. */
async function switchToWal(sql: SQL, attempts = 50): Promise<void> {
  try {
    await sql`pragma journal_mode = wal`;
  } catch (error) {
    if (!isBusy(error) || attempts <= 1) throw error;
    await Bun.sleep(100);
    await switchToWal(sql, attempts - 1);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SQL.SQLiteError && error.code.startsWith("SQLITE_BUSY");
}

/** A job for the worker: it opens `file` and runs the job of this name in one transaction. */
export interface WorkerOrder {
  file: string;
  name: string;
  input: unknown;
}

/** What the worker says: that it is ready, then how its job ended; `code` is of SQLite's errors. */
export type WorkerReply =
  | { ready: true }
  | { result: unknown }
  | {
      error: Pick<Error, "name" | "message" | "stack">;
      code: { code: string; errno: number } | null;
    };

/** TypeScript's declaration is a browser's, which has neither of the two. */
type BunWorker = Worker & Pick<Bun.Worker, "ref" | "unref">;

/** The thread that ran the last job. Loading one takes longer than most jobs, and they come in rows. */
let idle: { worker: BunWorker; timer: Timer } | null = null;

function takeIdleWorker(): BunWorker | null {
  if (idle === null) return null;
  const { worker, timer } = idle;
  idle = null;
  clearTimeout(timer);
  worker.ref();
  return worker;
}

/** Keeps a worker for the next job, unless there is one; it ends, with its memory, when none comes. */
function keepIdle(worker: BunWorker): void {
  if (idle !== null) return void worker.terminate();
  const end = () => takeIdleWorker()?.terminate();
  idle = { worker, timer: setTimeout(end, IDLE_WORKER_MS).unref() };
  worker.unref();
}

/** Starts a worker thread. Resolves once it has loaded. */
async function startWorker(): Promise<BunWorker> {
  // True, as this is Bun.
  const worker = new Worker(WORKER) as BunWorker;
  await nextReply(worker);
  return worker;
}

/** Runs a job in a worker with a connection of its own. Resolves once it is committed. */
async function runInWorker<Input, Result>(
  worker: BunWorker,
  file: string,
  { name }: BulkJob<Input, Result>,
  input: Input,
): Promise<Result> {
  const reply = nextReply(worker);
  worker.postMessage({ file, name, input } satisfies WorkerOrder, []);
  // True because the worker ran the job of this name, whose result this is.
  return (await reply) as Result;
}

/** What the worker says next; rejects with its error. */
function nextReply(worker: Worker): Promise<unknown> {
  const { promise, resolve: answer, reject } = Promise.withResolvers<unknown>();
  const listening = new AbortController();
  const { signal } = listening;
  const onReply = ({ data }: MessageEvent<WorkerReply>) => {
    if (!("error" in data)) return answer("result" in data ? data.result : null);
    const { error, code } = data;
    const failure = code === null ? new Error() : new SQL.SQLiteError(error.message, code);
    reject(Object.assign(failure, error));
  };
  const onClose = () => reject(new Error("The worker ended without an answer"));
  worker.addEventListener("message", onReply, { signal });
  worker.addEventListener("error", ({ message }) => reject(new Error(message)), { signal });
  worker.addEventListener("close", onClose, { signal });
  return promise.finally(() => listening.abort());
}
