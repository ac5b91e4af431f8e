import { existsSync } from "node:fs";
import { OperatorError } from "../../shared/log.ts";
import type { Database, Timeouts } from "./database.ts";
import { explainOpening, isOfDatabase } from "./database-error.ts";
import { openPostgres } from "./postgres.ts";
import { databaseFile, openSqlite } from "./sqlite.ts";

/** Opens `sqlite://<file>` or `postgres://…`. @throws {OperatorError} */
export async function openDatabase(url: string, timeouts?: Timeouts): Promise<Database> {
  if (/^sqlite:/i.test(url)) return openSqlite(url);
  if (/^postgres(?:ql)?:/i.test(url)) return openPostgres(url, timeouts);
  // The URL may hold a password, so only its scheme is repeated.
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? "no scheme";
  throw new OperatorError(
    `The database URL must be sqlite://<file> or postgres://…, but it has ${scheme}`,
  );
}

/** As `openDatabase`, but a missing file is not created. @throws {OperatorError} */
export async function openExistingDatabase(url: string): Promise<Database> {
  if (/^sqlite:/i.test(url) && !existsSync(databaseFile(url))) {
    throw new OperatorError(`The database ${databaseFile(url)} does not exist`);
  }
  return openDatabase(url);
}

/** Does what a command is for, and closes the database. @throws {OperatorError} Where that is at fault. */
export async function inDatabase<T>(database: Database, work: (database: Database) => Promise<T>) {
  try {
    return await work(database);
  } catch (error) {
    throw isOfDatabase(error) ? explainOpening(database.place, error) : error;
  } finally {
    await database.close();
  }
}
