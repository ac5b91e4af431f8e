import { SQL } from "bun";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseError, explainOpening } from "./database-error.ts";
import type { Database } from "./database.ts";
import { takeTurnsOn } from "./sqlite-turns.ts";

/** What every connection needs; KiB of cache, as 2 MB are read anew for a search of 20,000 names. */
const PRAGMAS = ["synchronous = full", "foreign_keys = on", "cache_size = -32768"];

/**
 * What one that writes needs beside that: see `createCheckpointer`. Its cache is small, so that a
 * long transaction is written as it goes on, and not all of it when it ends.
 */
const WRITER_PRAGMAS = ["wal_autocheckpoint = 0", "cache_size = -4096"];

/**
 * What one on a thread of its own needs, which keeps nobody waiting when it ends: for as long as it
 * lasts, memory for the pages of all indexes of 200,000 names, so that hardly one is read twice. It
 * does not wait for the disk: that is done afterwards, when others can write again.
 */
const THREAD_PRAGMAS = [
  "busy_timeout = 5000",
  ...PRAGMAS,
  ...WRITER_PRAGMAS,
  "cache_size = -65536",
  "synchronous = normal",
];

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
    return takeTurnsOn(file, { reader, writer, threadPragmas: THREAD_PRAGMAS });
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
