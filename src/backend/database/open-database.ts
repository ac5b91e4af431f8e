import { existsSync } from "node:fs";
import type { Database, Timeouts } from "./database.ts";
import { DatabaseError, explainOpening, isOfDatabase } from "./database-error.ts";
import { openPostgres } from "./postgres.ts";
import { databaseFile, openSqlite } from "./sqlite.ts";

/** Opens `sqlite://<file>` or `postgres://…`. @throws {DatabaseError} With a line for the operator. */
export async function openDatabase(url: string, timeouts?: Timeouts): Promise<Database> {
  if (/^sqlite:/i.test(url)) return openSqlite(url);
  if (/^postgres(?:ql)?:/i.test(url)) return openPostgres(url, timeouts);
  // The URL may hold a password, so only its scheme is repeated.
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? "no scheme";
  throw new DatabaseError(
    `The database URL must be sqlite://<file> or postgres://…, but it has ${scheme}`,
  );
}

/** As `openDatabase`, but a missing file is not created. @throws {DatabaseError} */
export async function openExistingDatabase(url: string): Promise<Database> {
  if (/^sqlite:/i.test(url) && !existsSync(databaseFile(url))) {
    throw new DatabaseError(`The database ${databaseFile(url)} does not exist`);
  }
  return openDatabase(url);
}

/** Does what a command is for, and closes the database. @throws {DatabaseError} Where that is at fault. */
export async function inDatabase<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  try {
    return await work(database);
  } catch (error) {
    throw isOfDatabase(error) ? explainOpening(database.place, error) : error;
  } finally {
    await database.close();
  }
}
