import { SQL } from "bun";
import { log, OperatorError } from "../../shared/log.ts";
import { type Database, wrapDatabase } from "./database.ts";

/** The database does not answer in time: the same call may work later; `message` follows its name. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** What codes of SQLite, Postgres (SQLSTATE) and Bun's connections mean to the operator. */
const MEANINGS: Record<string, string> = {
  SQLITE_NOTADB: "is not an SQLite database",
  SQLITE_CORRUPT: "is damaged: restore a backup",
  SQLITE_CANTOPEN: "cannot be opened: is it a file, and is its folder writable?",
  SQLITE_READONLY: "cannot be written: check the permissions of the file and of its folder",
  SQLITE_PERM: "cannot be accessed: check the permissions of the file and of its folder",
  SQLITE_FULL: "cannot be written: its disk is full, make room",
  SQLITE_IOERR: "cannot be read or written: its disk or a quota reports an error",
  SQLITE_BUSY: "is locked by another program",
  ERR_POSTGRES_CONNECTION_REFUSED: "cannot be reached: is it running, and is the address right?",
  ERR_POSTGRES_CONNECTION_CLOSED: "closed the connection: is it running?",
  ERR_POSTGRES_CONNECTION_FAILED: "closes every connection: is it Postgres, and is it running?",
  ERR_POSTGRES_CONNECTION_TIMEOUT: "does not answer",
  "28P01": "does not accept the user or the password",
  "28000": "does not accept the user",
  "3D000": "does not exist: create it first",
  "42501": "may not be changed by this user: grant it the right to create tables",
  "25006": "can only be read: is it a standby?",
  "53100": "cannot be written: its disk is full, make room",
  "53300": "has no connections left",
  "57P03": "is starting or stopping; try again in a moment",
};

/**
 * "Not now". SQLSTATE: connections (08), read-only (25006), rolled back (40), no resources (53),
 * locked (55P03), shutting down (57P0).
 */
const UNAVAILABLE =
  /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|CORRUPT|NOTADB|READONLY|PROTOCOL|NOMEM)|ERR_\w+_CONNECTION|08|25006|40|53|55P03|57014|57P0)/;

/** Explains why `place` could not be opened; an unknown error keeps its message. */
export function explainOpening(place: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  return new OperatorError(`The database ${place} ${explainOutage(error)}`, { cause: error });
}

export function explainOutage(error: unknown): string {
  if (error instanceof UnavailableError) return error.message;
  const [line] = String(error instanceof Error ? error.message : error).split("\n");
  const code = codeOf(error);
  const family = code.startsWith("SQLITE_") ? code.split("_").slice(0, 2).join("_") : code;
  return MEANINGS[family] ?? `cannot be used: ${line}`;
}

export function isDiskTrouble(error: unknown): boolean {
  return /^(SQLITE_(FULL|IOERR|READONLY)|53100|25006)/.test(codeOf(error));
}

/** For `catch`: logs the failure, except an outage of the database, which `watchOutages` logs. */
export const logFailure = (message: string) => (error: unknown) => {
  if (!isUnavailable(error)) log.error(message, error);
};

/** Whether the database is at fault rather than the statement: the same call may work later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof UnavailableError || UNAVAILABLE.test(codeOf(error));
}

/** Whether the database says this, and not the program. */
export const isOfDatabase = (error: unknown) =>
  error instanceof UnavailableError || codeOf(error) !== "";

export function isUniqueViolation(error: unknown): boolean {
  return ["SQLITE_CONSTRAINT_UNIQUE", "23505"].includes(codeOf(error));
}

/** Whether Postgres rolled a transaction back because of another: run again, it may succeed. */
export function isConflict(error: unknown): boolean {
  return ["40001", "40P01"].includes(codeOf(error));
}

/** SQLite's extended code, SQLSTATE, or Bun's name for a failed connection. */
function codeOf(error: unknown): string {
  if (error instanceof SQL.PostgresError) return error.errno ?? error.code;
  return error instanceof SQL.SQLError && "code" in error ? String(error.code) : "";
}

/** How long nothing may have failed for an outage to be over: a small write may fit on a full disk. */
const QUIET_MS = 3000;

export type WatchedDatabase = ReturnType<typeof watchOutages>;

/** Logs an outage once for each reason, and its end, instead of each failed request and job. */
export function watchOutages(database: Database) {
  const reasons = new Set<string>();
  let failedAt = 0;
  /** Why nothing can be written; reads may go on. */
  let diskReason: string | null = null;

  const watched = wrapDatabase(database, async (start, kind) => {
    const isWrite = kind === "write" || kind === "write-many";
    try {
      const result = await start();
      const isOver = performance.now() > failedAt + QUIET_MS && (isWrite || diskReason === null);
      if (reasons.size > 0 && isOver) {
        log.info(`The database ${database.place} is back.`);
        reasons.clear();
        diskReason = null;
      }
      return result;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      failedAt = performance.now();
      const why = explainOutage(error);
      if (isDiskTrouble(error)) diskReason = why;
      if (!reasons.has(why))
        log.error(`The database ${database.place} ${why} (Requests get 503 until it is back.)`);
      reasons.add(why);
      throw error;
    }
  });

  async function reason(): Promise<string | null> {
    try {
      await watched.read((sql) => sql`select 1`);
      if (diskReason === null) return null;
      if (performance.now() < failedAt + QUIET_MS) return `the database ${diskReason}`;
      // Any row will do: it stays as it is.
      await watched.write(
        (sql) => sql`update settings set value = value where name = 'xsrf secret'`,
      );
      return null;
    } catch (error) {
      return `the database ${explainOutage(error)}`;
    }
  }

  return { ...watched, reason };
}
