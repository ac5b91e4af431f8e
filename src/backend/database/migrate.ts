import type { SQL } from "bun";
import { DatabaseError } from "./database-error.ts";
import { isPostgres, type Database, type Migration } from "./database.ts";
import { baseline } from "./migrations/0021-baseline.ts";
import { settingsAsJson } from "./migrations/0022-settings-as-json.ts";
import { importsAsOperations } from "./migrations/0023-imports-as-operations.ts";
import { reminderNews } from "./migrations/0024-reminder-news.ts";
import { answeredChecks } from "./migrations/0025-answered-checks.ts";
import { registrarStatus } from "./migrations/0026-registrar-status.ts";
import { earliestExpiry } from "./migrations/0027-earliest-expiry.ts";
import { customKeys } from "./migrations/0028-custom-keys.ts";
import { people } from "./migrations/0029-people.ts";
import { proofs } from "./migrations/0030-proofs.ts";
import { apiTokens } from "./migrations/0031-api-tokens.ts";
import { factors } from "./migrations/0032-factors.ts";
import { personOfDomain } from "./migrations/0033-person-of-domain.ts";
import { registrarAccounts } from "./migrations/0034-registrar-accounts.ts";
import { orderedLists } from "./migrations/0035-ordered-lists.ts";
import { search } from "./migrations/0036-search.ts";
import { aggregates } from "./migrations/0037-aggregates.ts";
import { uploadParts } from "./migrations/0038-upload-parts.ts";
import { searchTable } from "./migrations/0039-search-table.ts";
import { recounted } from "./migrations/0040-recounted.ts";

/** Every migration, oldest first. Modules, not .sql files, so that one executable can hold them. */
export const MIGRATIONS: readonly Migration[] = [
  baseline,
  settingsAsJson,
  importsAsOperations,
  reminderNews,
  answeredChecks,
  registrarStatus,
  earliestExpiry,
  customKeys,
  people,
  proofs,
  apiTokens,
  factors,
  personOfDomain,
  registrarAccounts,
  orderedLists,
  search,
  aggregates,
  uploadParts,
  searchTable,
  recounted,
];

/** The last commit that could migrate a database from before the baseline. */
const BASELINE_COMMIT = "23fb20f";

/**
 * Brings the database to the newest schema that this program knows, in one transaction: a second
 * instance that starts at the same time waits and then finds nothing left to do.
 *
 * @throws {DatabaseError} When a newer program has written the database, or one before the baseline.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await database.migrate(async (sql) => {
    const current = (await readSchema(sql)) ?? 0;
    const oldest = migrations[0]?.version ?? 0;
    const newest = migrations.at(-1)?.version ?? 0;
    if (current > 0 && current < oldest) {
      throw new DatabaseError(
        `The database ${database.place} was written before the first release (schema ${current}, ` +
          `this program opens ${oldest} and later): start commit ${BASELINE_COMMIT} with it once, ` +
          "which brings it to that schema, or begin with a new database",
      );
    }
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
  const [row] = await sql<{ version: number | null }[]>`
    select max(version) as version from schema_migrations`;
  return row?.version ?? null;
}

/** The names of all tables, of other programs too; without those that SQLite keeps for an index. */
export async function listTables(sql: SQL): Promise<string[]> {
  const rows = isPostgres(sql)
    ? await sql<{ name: string }[]>`
          select tablename::text as name from pg_tables where schemaname = current_schema()`
    : await sql<{ name: string }[]>`
          select name from pragma_table_list
          where schema = 'main' and type = 'table' and name <> 'sqlite_schema'`;
  return rows.map(({ name }) => name);
}
