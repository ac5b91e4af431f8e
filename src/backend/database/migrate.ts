import type { SQL } from "bun";
import { log, OperatorError } from "../../shared/log.ts";
import { isPostgres, readColumn, type Database, type Migration } from "./database.ts";
import { baseline } from "./migrations/0040-baseline.ts";
import { beforeRelease } from "./migrations/0041-before-1.0.ts";
import { dailyWork } from "./migrations/0051-daily-work.ts";

export const MIGRATIONS: readonly Migration[] = [baseline, ...beforeRelease, dailyWork];

export const NEWEST_SCHEMA = MIGRATIONS.at(-1)?.version ?? 0;

/** The last commit that opens databases and archives from before the baseline. */
const BASELINE_COMMIT = "e9018ab2";

/** Why these migrations cannot go on from a schema, as the rest of a sentence; null when they can. */
export function explainSchema(schema: number, migrations: readonly Migration[] = MIGRATIONS) {
  const oldest = migrations[0]?.version ?? 0;
  const newest = migrations.at(-1)?.version ?? 0;
  if (schema < oldest) {
    return (
      `was written by an older version of this program (schema ${schema}, this one opens ${oldest} ` +
      `and later): start commit ${BASELINE_COMMIT} with it first, which brings it to that schema`
    );
  }
  if (schema > newest) {
    return (
      `was written by a newer version of this program (schema ${schema}, this one knows ${newest}): ` +
      "start the newer version with it"
    );
  }
  return null;
}

/** Brings the database to the newest schema, in one transaction. @throws {OperatorError} */
export async function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS) {
  const newest = migrations.at(-1)?.version ?? 0;
  const before = await database.read(readSchema);
  if (before !== null && before < newest && explainSchema(before, migrations) === null) {
    const copy = await database.copyBefore(newest);
    log.info(
      `The database goes from schema ${before} to ${newest}. To go back, stop, ${
        copy === null
          ? "restore a backup that was made before into an empty database"
          : `put ${copy} in place of ${database.place}, without its -wal and -shm`
      }, and start the older version.`,
    );
  }
  await database.migrate(async (sql) => {
    const current = await readSchema(sql);
    const reason = current === null ? null : explainSchema(current, migrations);
    if (reason !== null) throw new OperatorError(`The database ${database.place} ${reason}`);
    await migrateTo(sql, newest, migrations);
  });
}

/** Runs the migrations that are missing up to a version, inside a transaction. */
export async function migrateTo(
  sql: SQL,
  version: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await sql`create table if not exists schema_migrations (
    version integer primary key, name text not null, applied_at text not null)`;
  const current = (await readSchema(sql)) ?? 0;
  for (const migration of migrations) {
    const { version: next, name, statements, sqlite = [], postgres = [], run } = migration;
    if (next <= current || next > version) continue;
    const own = isPostgres(sql) ? postgres : sqlite;
    for (const statement of [...statements, ...own]) await sql.unsafe(statement);
    await run?.(sql);
    const applied = { version: next, name, applied_at: new Date().toISOString() };
    await sql`insert into schema_migrations ${sql(applied)}`;
  }
}

/** The version of the last migration; null for a database without tables of this program. */
export async function readSchema(sql: SQL): Promise<number | null> {
  if (!(await listTables(sql)).includes("schema_migrations")) return null;
  const [version] = await readColumn<number>(sql`select max(version) from schema_migrations`);
  return version ?? null;
}

/** The names of all tables, including those of other programs, without the ones behind a search index. */
export function listTables(sql: SQL): Promise<string[]> {
  return readColumn(
    isPostgres(sql)
      ? sql`select tablename::text from pg_tables where schemaname = current_schema()`
      : sql`select name from pragma_table_list
          where schema = 'main' and type = 'table' and name <> 'sqlite_schema'`,
  );
}
