import { SQL } from "bun";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createCheckpointer, LOG_BYTES } from "./checkpointer.ts";
import { DatabaseError, explainOpening } from "./database-error.ts";
import type { Database } from "./database.ts";
import { startSqliteThread, type SqliteThread } from "./sqlite-thread.ts";
import { createStatementQueue } from "./statement-queue.ts";
import { runAll, statement, type Statement } from "./statement.ts";

/** What every connection needs; KiB of cache, as 2 MB are read anew for a search of 20,000 names. */
const PRAGMAS = ["synchronous = full", "foreign_keys = on", "cache_size = -32768"];

/**
 * What one that writes needs beside that: see `createCheckpointer`. Its cache is small, so that a
 * long transaction is written as it goes on, and not all of it when it ends.
 */
const WRITER_PRAGMAS = [
  "wal_autocheckpoint = 0",
  `journal_size_limit = ${LOG_BYTES}`,
  "cache_size = -4096",
];

/**
 * What one on a thread of its own needs, which keeps nobody waiting when it ends: for as long as it
 * lasts, memory for the pages of all indexes of 200,000 names, so that hardly one is read twice.
 */
const THREAD_PRAGMAS = [
  "busy_timeout = 5000",
  ...PRAGMAS,
  ...WRITER_PRAGMAS,
  "cache_size = -65536",
];

/** Statements that a thread has at hand, so that it need not wait while the next ones are made. */
const WAITING = 8;

/**
 * Opens the SQLite database that `url` names (`sqlite://<file>`, relative to the working
 * directory), creating the file and its folder, readable by the owner only, where missing.
 *
 * @throws {DatabaseError} When the URL names no file, or the file cannot be used.
 */
export async function openSqlite(url: string): Promise<Database> {
  const file = databaseFile(url);
  const connections: SQL[] = [];
  try {
    createFile(file);
    const writer = new SQL({ adapter: "sqlite", filename: file });
    connections.push(writer);
    await preparePragmas(writer);
    for (const pragma of WRITER_PRAGMAS) await writer.unsafe(`pragma ${pragma}`);
    const reader = new SQL({ adapter: "sqlite", filename: file });
    connections.push(reader);
    await preparePragmas(reader);
    await reader`pragma query_only = on`;
    return queued(file, { reader, writer });
  } catch (error) {
    for (const sql of connections) await sql.close().catch(() => undefined);
    throw explainOpening(file, error);
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

async function preparePragmas(sql: SQL): Promise<void> {
  // First, so that a second instance which is starting too is waited for by all that follow.
  await sql`pragma busy_timeout = 5000`;
  await switchToWal(sql);
  for (const pragma of PRAGMAS) await sql.unsafe(`pragma ${pragma}`);
}

/** SQLite answers "busy" at once here, without its usual wait, while another instance starts. */
async function switchToWal(sql: SQL, attempts = 50): Promise<void> {
  try {
    await sql`pragma journal_mode = wal`;
  } catch (error) {
    const busy = error instanceof SQL.SQLiteError && error.code.startsWith("SQLITE_BUSY");
    if (!busy || attempts <= 1) throw error;
    await Bun.sleep(100);
    await switchToWal(sql, attempts - 1);
  }
}

/**
 * One connection has no isolation between callers, so each has a queue. Two connections, because
 * the log lets readers see what was there before while a write is under way. Thousands of rows are
 * written by a third one, on a thread of its own.
 */
function queued(file: string, { reader, writer }: { reader: SQL; writer: SQL }): Database {
  const reads = createStatementQueue();
  const writes = createStatementQueue();
  const threads = createStatementQueue();
  const checkpointer = createCheckpointer(file);
  const writing = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;

  const write = <T>(work: (sql: SQL) => Promise<T>) =>
    writes.run(async () => {
      const result = await writer.begin("immediate", work);
      checkpointer.consider();
      return result;
    });

  async function transact<T>(
    thread: SqliteThread,
    work: (sql: SQL) => AsyncGenerator<Statement, T, undefined>,
  ) {
    try {
      await thread.run(statement`begin immediate`);
      // Nobody else can write by now, so what this connection reads is what the thread has.
      const result = await writer.begin("deferred", (sql) =>
        runAll(work(sql), thread.run, WAITING),
      );
      await thread.run(statement`commit`);
      return result;
    } catch (error) {
      // Before anybody else writes: what it has begun is undone.
      await thread.close();
      throw error;
    }
  }

  /**
   * Others wait for neither the start of the thread nor its end. The next one starts then: one that
   * waits for its turn would take memory for nothing.
   */
  function writeMany<T>(work: (sql: SQL) => AsyncGenerator<Statement, T, undefined>) {
    return threads.run(async () => {
      const thread = startSqliteThread(file, THREAD_PRAGMAS);
      try {
        await thread.run(statement`select count(*) from sqlite_schema`);
        return await writes.run(() => transact(thread, work));
      } finally {
        await thread.close();
        checkpointer.consider();
      }
    });
  }

  async function shut() {
    await Promise.allSettled(writing);
    await reads.run(() => reader.close());
    await writes.run(() => checkpointer.stop());
    await writes.run(() => writer`pragma wal_checkpoint(truncate)`).catch(() => undefined);
    await writer.close();
  }

  return {
    place: file,
    read: (work) => reads.run(() => reader.begin("deferred", work)),
    write,
    run: ({ texts, values }) =>
      write(async (sql) => void (await sql.unsafe(texts.join("?"), [...values]))),
    async writeMany(work) {
      const written = writeMany(work);
      writing.add(written);
      return written.finally(() => writing.delete(written));
    },
    restructure: write,
    close: () => (closing ??= shut()),
  };
}
