import { join } from "node:path";
import { migrate } from "../../src/backend/database/migrate.ts";
import { openDatabase } from "../../src/backend/database/open-database.ts";
import { type DatabaseKind, databaseKind } from "./both-databases.ts";
import { emptyPostgres } from "./postgres.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** A database without any table, of the kind that the test is for, and a folder to work in. */
export async function emptyDatabase({
  kind = databaseKind(),
  createPostgres = emptyPostgres,
}: { kind?: DatabaseKind; createPostgres?: () => ReturnType<typeof emptyPostgres> } = {}) {
  await using used = new AsyncDisposableStack();
  const folder = used.use(createTemporaryFolder()).path;
  const postgres = kind === "postgres" ? used.use(await createPostgres()) : null;
  const file = join(folder, "register.sqlite");
  const end = used.move();
  return {
    url: postgres?.url ?? `sqlite://${file}`,
    folder,
    /** Of SQLite; it is not there before somebody opens the database. */
    file,
    [Symbol.asyncDispose]: () => end.disposeAsync(),
  };
}

/** The same, and open, on SQLite unless told otherwise. */
export async function openEmpty(kind: DatabaseKind = "sqlite") {
  await using used = new AsyncDisposableStack();
  const place = used.use(await emptyDatabase({ kind }));
  const database = await openDatabase(place.url);
  used.defer(() => database.close());
  const end = used.move();
  return { ...place, database, [Symbol.asyncDispose]: () => end.disposeAsync() };
}

/** An empty register without a backend, on SQLite unless told otherwise, and a folder to work in. */
export async function openRegister(kind: DatabaseKind = "sqlite") {
  const register = await openEmpty(kind);
  await migrate(register.database);
  return register;
}
