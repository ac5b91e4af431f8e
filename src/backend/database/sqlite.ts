import { SQL } from "bun";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { codeOf, OperatorError } from "../../shared/log.ts";
import { explainOpening, UnavailableError } from "./database-error.ts";
import { type Database, hasRows } from "./database.ts";
import { createQueue } from "./event-loop.ts";
import { endIdleThreads, type Thread, withThread } from "./threads.ts";

/** How long a write and a bulk job wait for the writers before them. */
const WRITE_WAIT_MS = 15_000;
const BULK_WAIT_MS = 60_000;

/** Threads for `readMany`: two, so that a long job does not hold up all others. */
const READER_THREADS = 2;

const MAX_WAITING_READS = 200;

/** Registers up to this size, some 6,000 names, are read faster than a thread is loaded. */
const MAX_UNTHREADED_BYTES = 8 * 1024 * 1024;

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
    // SQLite waits inside the call and would block the thread: see `beginImmediate`.
    await writer`pragma busy_timeout = 0`;
    const reader = await connectReader(file);
    connections.push(reader);
    return createDatabase(file, reader, writer);
  } catch (error) {
    for (const sql of connections) await sql.close().catch(() => undefined);
    throw explainOpening(file, error);
  }
}

export async function connectSqlite(file: string): Promise<SQL> {
  const sql = new SQL({ adapter: "sqlite", filename: file });
  try {
    // First, so that the others wait for a second instance that is starting too.
    await sql`pragma busy_timeout = 5000`;
    // A database that is there keeps its header until its schema is known: see `migrate`.
    const [size] = await sql<{ page_count: number }[]>`pragma page_count`;
    if (size?.page_count === 0) await switchToWal(sql);
    for (const pragma of PRAGMAS) await sql.unsafe(`pragma ${pragma}`);
    return sql;
  } catch (error) {
    await sql.close();
    throw error;
  }
}

export async function connectReader(file: string): Promise<SQL> {
  const sql = await connectSqlite(file);
  await sql`pragma query_only = on`;
  return sql;
}

/** The absolute path of the file that a `sqlite:` URL names. @throws {OperatorError} */
export function databaseFile(url: string): string {
  const path = /^sqlite:(?:\/\/)?(?!\/*$)(?<path>[^?#]+)$/i.exec(url)?.groups?.["path"];
  if (path === undefined || path === ":memory:") {
    throw new OperatorError("The database URL must be sqlite://<file>, but it names no file");
  }
  return resolve(path);
}

/** Callers that share a connection of Bun.SQL share its transaction: each connection has a queue. */
function createDatabase(file: string, reader: SQL, writer: SQL): Database {
  const reads = createQueue();
  const writes = createQueue();
  const bulks = createQueue();
  const threads = createQueue({ slots: READER_THREADS, maxWaiting: MAX_WAITING_READS });
  const threaded = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;

  const read = <T>(work: (sql: SQL) => Promise<T>) => reads(() => reader.begin("deferred", work));
  const write = <T>(work: (sql: SQL) => Promise<T>) =>
    writes(() => beginImmediate(writer, work), WRITE_WAIT_MS);

  function refuseWhileClosing(): void {
    if (closing !== null) throw new UnavailableError("is being closed");
  }

  async function shut() {
    await Promise.allSettled(threaded);
    await reads(() => reader.close());
    await writes(() => endIdleThreads(file));
    await writer`pragma wal_checkpoint(truncate)`.catch(() => undefined);
    await writer.close();
  }

  return {
    place: file,
    read,
    async readMany(job, input) {
      if (statSync(file).size <= MAX_UNTHREADED_BYTES) return read((sql) => job.run(sql, input));
      const reading = threads(() => {
        refuseWhileClosing();
        return withThread((thread) => thread.run(job, { file, kind: "read", input }));
      });
      threaded.add(reading);
      return reading.finally(() => threaded.delete(reading));
    },
    async snapshot(work) {
      const sql = await connectSqlite(file);
      return sql.begin("deferred", work).finally(() => sql.close());
    },
    write,
    writeMany(job, input) {
      // Outside the queue: on a busy machine a thread takes seconds to load.
      const run = (thread: Thread) =>
        writes(() => {
          refuseWhileClosing();
          return thread.run(job, { file, kind: "write", input });
        }, BULK_WAIT_MS);
      return bulks(() => withThread(run), BULK_WAIT_MS);
    },
    async migrate(work) {
      // Without a write-ahead log, no transaction ends while another instance reads.
      const done = await retryBusy(() => write(work));
      await writes(() => switchToWal(writer));
      return done;
    },
    copyBefore: (schema) => write((sql) => copyBefore(sql, file, schema)),
    close: () => (closing ??= shut()),
  };
}

const KEPT_COPIES = 2;

/** `locked` keeps other instances that start from copying at the same time, or from writing meanwhile. */
async function copyBefore(locked: SQL, file: string, schema: number): Promise<string> {
  const { dir, name } = parse(file);
  const copy = join(dir, `${name}-before-${schema}.sqlite`);
  // One that was faster has copied it, and has changed it since.
  if (await hasRows(locked`select 1 from schema_migrations where version >= ${schema}`))
    return copy;
  const part = `${copy}.part`;
  rmSync(part, { force: true });
  const opened = openSync(part, "wx", 0o600);
  try {
    await using sql = await connectSqlite(file);
    await sql`vacuum into ${part}`;
    fsyncSync(opened);
    renameSync(part, copy);
  } finally {
    closeSync(opened);
    rmSync(part, { force: true });
  }
  const others = readdirSync(dir).flatMap((entry) => {
    const path = join(dir, entry);
    const [start, end] = entry.split(/-before-(?=\d+\.sqlite$)/);
    if (start !== name || end === undefined || path === copy) return [];
    return [{ path, at: statSync(path).mtimeMs, of: Number.parseInt(end, 10) }];
  });
  // The newest by their time: after a way back, a newer schema is of an older copy.
  const old = others.toSorted((a, b) => b.at - a.at || b.of - a.of).slice(KEPT_COPIES - 1);
  for (const { path } of old) rmSync(path);
  return copy;
}

function createFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    const why = `cannot be created or written (${codeOf(error) || "unknown"})`;
    throw new OperatorError(`The database ${file} ${why}`, { cause: error });
  }
}

/** Takes the write lock without blocking the event loop. */
function beginImmediate<T>(writer: SQL, work: (sql: SQL) => Promise<T>): Promise<T> {
  let started = false;
  const once = (sql: SQL) => {
    started = true;
    return work(sql);
  };
  return retryBusy(
    () => writer.begin("immediate", once),
    () => !started,
  );
}

/** While another instance starts: SQLite ignores its busy timeout here. */
function switchToWal(sql: SQL): Promise<unknown> {
  return retryBusy(async () => sql`pragma journal_mode = wal`);
}

/** Repeats what finds the file locked. @throws SQLite's "busy" in the end. */
async function retryBusy<T>(run: () => Promise<T>, mayRetry = () => true): Promise<T> {
  const endsAt = performance.now() + WRITE_WAIT_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isBusy(error) || !mayRetry() || performance.now() > endsAt) throw error;
      await Bun.sleep(5);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SQL.SQLiteError && error.code.startsWith("SQLITE_BUSY");
}
