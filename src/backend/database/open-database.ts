import { existsSync } from "node:fs";
import { OperatorError } from "../../shared/log.ts";
import type { Database, Timeouts } from "./database.ts";
import { explainOpening, isOfDatabase } from "./database-error.ts";
import { openPostgres } from "./postgres.ts";
import { databaseFile, openSqlite } from "./sqlite.ts";

/** Opens `sqlite://<file>` or `postgres://…`; the configuration takes no other. @throws {OperatorError} */
export function openDatabase(url: string, timeouts?: Timeouts): Promise<Database> {
  return /^sqlite:/i.test(url) ? openSqlite(url) : openPostgres(url, timeouts);
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
