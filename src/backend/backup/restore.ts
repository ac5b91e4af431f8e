import type { SQL } from "bun";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { openDatabase, type Database } from "../database/database.ts";
import { listTables, MIGRATIONS, migrateTo } from "../database/migrate.ts";
import { createUploadFiles, uploadFolderFor, type UploadFiles } from "../uploads/upload-files.ts";
import { BackupError, readArchive, verifyArchive, type ArchiveEntry } from "./archive.ts";
import { TABLES } from "./backup.ts";

/** Rows that one statement adds. */
const BATCH_ROWS = 2000;

/**
 * Restores a backup into an empty database, in one transaction, with the uploads. The archive is
 * checked as a whole before anything is written. There are no sessions afterwards.
 *
 * @throws {BackupError} When the archive is cut, changed or newer, or the database is not empty.
 */
export async function restoreBackup(
  database: Database,
  files: UploadFiles,
  path: string,
): Promise<void> {
  const manifest = await verifyArchive(path);
  const newest = MIGRATIONS.at(-1)?.version ?? 0;
  if (manifest.format !== 1 || manifest.schema > newest) {
    throw new BackupError(
      `${path} was written by a newer version (schema ${manifest.schema}, this one knows ${newest})`,
    );
  }
  await database.migrate(async (sql) => {
    if ((await listTables(sql)).length > 0) {
      throw new BackupError(`The database ${database.place} is not empty: restore into a new one`);
    }
    await migrateTo(sql, manifest.schema);
    const present = await listTables(sql);
    for (const table of Object.keys(TABLES)) {
      if (present.includes(table)) await sql`delete from ${sql(table)}`;
    }
    for await (const entry of readArchive(path)) await restoreEntry(sql, files, entry, path);
    for (const [table, rows] of Object.entries(manifest.tables)) {
      const [count] = await sql<{ rows: number }[]>`
        select cast(count(*) as integer) as rows from ${sql(table)}`;
      if (count?.rows !== rows) {
        throw new BackupError(`${path} has ${count?.rows} rows of ${table}, not ${rows}`);
      }
    }
    await migrateTo(sql, newest);
  });
}

async function restoreEntry(sql: SQL, files: UploadFiles, entry: ArchiveEntry, path: string) {
  const [kind, name = ""] = entry.path.split("/");
  if (kind === "uploads") return restoreUpload(files, name, entry);
  const text = Buffer.concat(await Array.fromAsync(entry.content)).toString();
  // What is left are the manifest and its hash, which have been checked.
  return kind === "tables" ? restoreRows(sql, name, text, path) : undefined;
}

/** Adds rows to a table; the database refuses those that refer to what is not there. */
async function restoreRows(sql: SQL, table: string, text: string, path: string) {
  if (TABLES[table] === undefined) throw new BackupError(`${path} has an unknown table ${table}`);
  const lines = text.split("\n").slice(0, -1);
  for (let start = 0; start < lines.length; start += BATCH_ROWS) {
    const rows = lines.slice(start, start + BATCH_ROWS).map((line): SqlRow => JSON.parse(line));
    await insertRows(sql, table, rows).catch((error: unknown) => {
      throw new BackupError(`${path}: rows of ${table} do not fit together`, { cause: error });
    });
  }
}

async function restoreUpload(files: UploadFiles, id: string, { content }: ArchiveEntry) {
  await files.remove(id);
  const file = await files.create(id);
  try {
    for await (const chunk of content) await file.write(chunk);
    await file.keep();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/**
 * The command `restore FILE`: restores into the database that `databaseUrl` names.
 *
 * @throws {BackupError | DatabaseError} With one line for the operator.
 */
export async function restore(databaseUrl: string, path: string): Promise<void> {
  const database = await openDatabase(databaseUrl);
  try {
    await restoreBackup(database, createUploadFiles(uploadFolderFor(databaseUrl)), path);
  } finally {
    await database.close();
  }
}
