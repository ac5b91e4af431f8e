import type { SQL } from "bun";
import { DatabaseError } from "./database-error.ts";
import type { Database } from "./database.ts";
import { register } from "./migrations/0001-register.ts";
import { imports } from "./migrations/0002-imports.ts";
import { registerFilters } from "./migrations/0003-register-filters.ts";
import { changedFieldsOfImports } from "./migrations/0004-changed-fields.ts";
import { unfinishedImports } from "./migrations/0005-unfinished-imports.ts";
import { indexesAsTheyAre } from "./migrations/0006-indexes-as-they-are.ts";
import { listIndex } from "./migrations/0007-list-index.ts";
import { sessionList } from "./migrations/0008-session-list.ts";
import { atomicImports } from "./migrations/0009-atomic-imports.ts";
import { moreFields } from "./migrations/0010-more-fields.ts";
import { operations } from "./migrations/0011-operations.ts";
import { listAndViews } from "./migrations/0012-list-and-views.ts";
import { registrars } from "./migrations/0013-registrars.ts";
import { importLayouts } from "./migrations/0014-import-layouts.ts";
import { checks } from "./migrations/0020-checks.ts";
import { reminders } from "./migrations/0021-reminders.ts";
import { settingsAsJson } from "./migrations/0022-settings-as-json.ts";
import type { Migration } from "./migrations/migration.ts";

/** Every migration, oldest first. Modules, not .sql files, so that one executable can hold them. */
export const MIGRATIONS: readonly Migration[] = [
  register,
  imports,
  registerFilters,
  changedFieldsOfImports,
  unfinishedImports,
  indexesAsTheyAre,
  listIndex,
  sessionList,
  atomicImports,
  moreFields,
  operations,
  listAndViews,
  registrars,
  importLayouts,
  checks,
  reminders,
  settingsAsJson,
];

/**
 * Brings the database to the newest schema that this program knows, in one transaction: a second
 * instance that starts at the same time waits and then finds nothing left to do.
 *
 * @throws {DatabaseError} When a newer program has written the database.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await database.migrate(async (sql) => {
    const current = (await readSchema(sql)) ?? 0;
    const newest = migrations.at(-1)?.version ?? 0;
    if (current > newest) {
      throw new DatabaseError(
        `The database ${database.place} was written by a newer version of this program ` +
          `(schema ${current}, this one knows ${newest}): start the newer version, or restore a backup`,
      );
    }
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
    const { version: next, name, statements, run, sqlite = [], postgres = [] } = migration;
    if (next <= current || next > version) continue;
    const own = sql.options.adapter === "postgres" ? postgres : sqlite;
    for (const statement of statements) await sql.unsafe(statement);
    await run?.(sql);
    for (const statement of own) await sql.unsafe(statement);
    const applied = { version: next, name, applied_at: new Date().toISOString() };
    await sql`insert into schema_migrations ${sql(applied)}`;
  }
}

/** The version of the last migration; null for a database without tables of this program. */
export async function readSchema(sql: SQL): Promise<number | null> {
  if (!(await listTables(sql)).includes("schema_migrations")) return null;
  const [row] = await sql<{ version: number | null }[]>`
    select max(version) as version from schema_migrations`;
  return row?.version ?? null;
}

/** The names of all tables, of other programs too. */
export async function listTables(sql: SQL): Promise<string[]> {
  const rows =
    sql.options.adapter === "postgres"
      ? await sql<{ name: string }[]>`
          select tablename::text as name from pg_tables where schemaname = current_schema()`
      : await sql<{ name: string }[]>`select name from sqlite_master where type = 'table'`;
  return rows.map(({ name }) => name);
}
