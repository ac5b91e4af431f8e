import { DatabaseError } from "./database-error.ts";
import type { Database } from "./database.ts";
import { openPostgres, type Patience } from "./postgres-database.ts";
import { openSqlite } from "./sqlite-database.ts";

/**
 * Opens the database that `url` names: `sqlite://<file>`, relative to the working directory, or
 * `postgres://<user>:<password>@<host>/<database>`. `patience` is with Postgres only.
 *
 * @throws {DatabaseError} With one line for the operator, when it cannot be used.
 */
export async function openDatabase(url: string, patience?: Patience): Promise<Database> {
  if (/^sqlite:/i.test(url)) return openSqlite(url);
  if (/^postgres(?:ql)?:/i.test(url)) return openPostgres(url, patience);
  // The URL itself may hold a password, so only its scheme is repeated.
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? "no scheme";
  throw new DatabaseError(
    `The database URL must be sqlite://<file> or postgres://…, but it has ${scheme}`,
  );
}
