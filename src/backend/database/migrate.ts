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

/** One step forward; there is none back. SQLite and Postgres both understand its statements. */
export interface Migration {
  version: number;
  name: string;
  statements: readonly string[];
  /** Statements for one of the two alone, which run after the others. */
  sqlite?: readonly string[];
  postgres?: readonly string[];
}

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
    const current = await readVersion(sql);
    const newest = migrations.at(-1)?.version ?? 0;
    if (current > newest) {
      throw new DatabaseError(
        `The database ${database.place} was written by a newer version of this program ` +
          `(schema ${current}, this one knows ${newest}): start the newer version, or restore a backup`,
      );
    }
    for (const migration of migrations) {
      if (migration.version > current) await apply(sql, migration);
    }
  });
}

async function readVersion(sql: SQL): Promise<number> {
  await sql`create table if not exists schema_migrations (
    version integer primary key, name text not null, applied_at text not null)`;
  const [row] = await sql<
    { version: number }[]
  >`select coalesce(max(version), 0) as version from schema_migrations`;
  return row?.version ?? 0;
}

async function apply(sql: SQL, migration: Migration): Promise<void> {
  const { version, name, statements, sqlite = [], postgres = [] } = migration;
  const own = sql.options.adapter === "postgres" ? postgres : sqlite;
  for (const statement of [...statements, ...own]) await sql.unsafe(statement);
  const applied = { version, name, applied_at: new Date().toISOString() };
  await sql`insert into schema_migrations ${sql(applied)}`;
}
