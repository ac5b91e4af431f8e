import type { SQL } from "bun";
import { basename } from "node:path";
import { recordAudit } from "../audit.ts";
import { isRecord } from "../../shared/parse.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { openDatabase, type Database } from "../database/database.ts";
import { explainSchema, listTables, migrateTo, NEWEST_SCHEMA } from "../database/migrate.ts";
import { removeSetting } from "../setting-store.ts";
import { createPartWriter } from "../uploads/uploads.ts";
import { BackupError, readArchive, verifyArchive, type ArchiveEntry } from "./archive.ts";
import { TABLES } from "./backup.ts";

/** The path of an entry of a table or an upload; the others are about the archive itself. */
const ENTRY =
  /^(?:tables\/(?<table>[a-z_]+)\/\d+\.jsonl|uploads\/(?<upload>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))$/;

/** Rows that one statement adds. */
const BATCH_ROWS = 2000;

/**
 * Restores a backup into an empty database, in one transaction, after a check of the whole archive. It
 * leaves no sessions and no pending messages.
 *
 * @throws {BackupError} When the archive is cut, changed, newer or from before the baseline, or the
 *   database is not empty.
 */
export async function restoreBackup(database: Database, path: string): Promise<void> {
  const manifest = await verifyArchive(path);
  const reason = explainSchema(manifest.schema);
  if (reason !== null) throw new BackupError(`${path} ${reason}`);
  for (const name of Object.keys(manifest.entries)) {
    const { table = "", upload } = ENTRY.exec(name)?.groups ?? {};
    if (upload === undefined && !Object.hasOwn(TABLES, table)) {
      throw new BackupError(`${path} holds something that no backup does: ${JSON.stringify(name)}`);
    }
  }
  await database.migrate(async (sql) => {
    if ((await listTables(sql)).length > 0) {
      throw new BackupError(`The database ${database.place} is not empty: restore into a new one`);
    }
    await migrateTo(sql, manifest.schema);
    const present = await listTables(sql);
    const tables = Object.keys(TABLES).filter((table) => present.includes(table));
    if (!Bun.deepEquals(Object.keys(manifest.tables).toSorted(), tables.toSorted())) {
      throw new BackupError(`${path} does not hold the tables of schema ${manifest.schema}`);
    }
    for (const table of tables) await sql`delete from ${sql(table)}`;
    for await (const entry of readArchive(path)) await restoreEntry(sql, entry, path);
    for (const [table, rows] of Object.entries(manifest.tables)) {
      const [count] = await sql<{ rows: number }[]>`
        select cast(count(*) as integer) as rows from ${sql(table)}`;
      if (count?.rows !== rows) {
        throw new BackupError(`${path} has ${count?.rows} rows of ${table}, not ${rows}`);
      }
    }
    await migrateTo(sql, NEWEST_SCHEMA);
    await forgetPending(sql);
    const about = { by: null, address: null, subject: basename(path) };
    await recordAudit(sql, { action: "restored", ...about });
  });
}

/** Pending messages may have been sent since the backup, and what expired since then is no news. */
async function forgetPending(sql: SQL): Promise<void> {
  const cancelled = { state: "cancelled", due_at: null, last_error: "Restored from a backup." };
  await sql`update deliveries set ${sql(cancelled)} where state = 'pending'`;
  await removeSetting(sql, "reminders state");
}

/** Restores the rows of an entry or the content of an upload; passes over what is about the archive. */
async function restoreEntry(sql: SQL, { path: name, content }: ArchiveEntry, path: string) {
  const { table, upload } = ENTRY.exec(name)?.groups ?? {};
  if (table !== undefined) {
    const text = Buffer.concat(await Array.fromAsync(content)).toString();
    return restoreRows(sql, table, text, path);
  }
  const parts = upload === undefined ? null : createPartWriter((work) => work(sql), upload);
  for await (const chunk of content) await parts?.write(chunk);
  await parts?.end();
}

async function restoreRows(sql: SQL, table: string, text: string, path: string) {
  const lines = text.split("\n").slice(0, -1);
  for (let start = 0; start < lines.length; start += BATCH_ROWS) {
    const rows = lines.slice(start, start + BATCH_ROWS).map(parseRow);
    if (!rows.every((row) => row !== null)) {
      throw new BackupError(`${path} holds something other than rows in ${table}`);
    }
    await insertRows(sql, table, rows).catch((error: unknown) => {
      throw new BackupError(`${path}: rows of ${table} do not fit together`, { cause: error });
    });
  }
}

/** A row by column; null if the line is not one. */
function parseRow(line: string): SqlRow | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRow(value) ? value : null;
  } catch {
    return null;
  }
}

function isRow(value: unknown): value is SqlRow {
  const isSqlValue = (each: unknown) =>
    each === null || typeof each === "string" || typeof each === "number";
  return (
    isRecord(value) &&
    Object.entries(value).every(([column, each]) => /^[a-z_\d]+$/.test(column) && isSqlValue(each))
  );
}

/**
 * The command `restore FILE`: restores into the database that `databaseUrl` names.
 *
 * @throws {BackupError | DatabaseError} With one line for the operator.
 */
export async function restore(databaseUrl: string, path: string): Promise<void> {
  const database = await openDatabase(databaseUrl);
  try {
    await restoreBackup(database, path);
  } finally {
    await database.close();
  }
}
