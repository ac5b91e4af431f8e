import type { SQL } from "bun";
import { basename } from "node:path";
import { recordAudit } from "../audit/audit.ts";
import { isDay } from "../../shared/day.ts";
import { OperatorError } from "../../shared/log.ts";
import { isRecord } from "../../shared/parse.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { countRows, isPostgres, readColumn, type Database } from "../database/database.ts";
import { inDatabase, openDatabase } from "../database/open-database.ts";
import { explainSchema, listTables, migrateTo, NEWEST_SCHEMA } from "../database/migrate.ts";
import { removeSetting } from "../database/setting-store.ts";
import { parseDomainName } from "../domains/domain-name.ts";
import { createPartWriter } from "../uploads/uploads.ts";
import { readArchive, verifyArchive, type ArchiveEntry } from "./archive.ts";
import { TABLES } from "./backup.ts";

const ENTRY =
  /^(?:tables\/(?<table>[a-z_]+)\/\d+\.jsonl|uploads\/(?<upload>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))$/;

const BATCH_ROWS = 2000;

/** Far more than the longest row has, and what one statement adds at most. */
const MAX_LINE_LENGTH = 8 * 1024 * 1024;

/**
 * Restores a backup into an empty database, in one transaction, after a check of the whole archive. It
 * leaves no sessions and no pending messages. @throws {OperatorError}
 */
export async function restoreBackup(database: Database, path: string): Promise<void> {
  const manifest = await verifyArchive(path);
  const reason = explainSchema(manifest.schema);
  if (reason !== null) throw new OperatorError(`${path} ${reason}`);
  for (const name of Object.keys(manifest.entries)) {
    const { table = "", upload } = ENTRY.exec(name)?.groups ?? {};
    if (upload === undefined && !TABLES.includes(table)) {
      throw new OperatorError(
        `${path} holds something that no backup has: ${JSON.stringify(name)}`,
      );
    }
  }
  await database.migrate(async (sql) => {
    if ((await listTables(sql)).length > 0) {
      throw new OperatorError(
        `The database ${database.place} is not empty: restore into a new one`,
      );
    }
    await migrateTo(sql, manifest.schema);
    const present = await listTables(sql);
    const tables = TABLES.filter((table) => present.includes(table));
    if (!Bun.deepEquals(Object.keys(manifest.tables).toSorted(), tables.toSorted())) {
      throw new OperatorError(`${path} does not hold the tables of schema ${manifest.schema}`);
    }
    for (const table of tables) await sql`delete from ${sql(table)}`;
    for await (const entry of readArchive(path)) await restoreEntry(sql, entry, path);
    for (const [table, rows] of Object.entries(manifest.tables)) {
      const found = await countRows(sql, sql`${sql(table)}`);
      if (found !== rows)
        throw new OperatorError(`${path} has ${found} rows of ${table}, not ${rows}`);
    }
    await migrateTo(sql, NEWEST_SCHEMA);
    // Pending messages may have been sent since the backup, and what expired since then is no news.
    const cancelled = { state: "cancelled", due_at: null, last_error: "Restored from a backup." };
    await sql`update deliveries set ${sql(cancelled)} where state = 'pending'`;
    await removeSetting(sql, "reminders state");
    const about = { by: null, address: null, subject: basename(path) };
    await recordAudit(sql, { action: "restored", ...about });
  });
}

/** Restores the rows of an entry or the content of an upload; passes over what is about the archive. */
async function restoreEntry(sql: SQL, { path: name, content }: ArchiveEntry, path: string) {
  const { table, upload } = ENTRY.exec(name)?.groups ?? {};
  if (table !== undefined) return restoreRows(sql, table, content, { path, name });
  const parts = upload === undefined ? null : createPartWriter((work) => work(sql), upload);
  for await (const chunk of content) await parts?.write(chunk);
  await parts?.end();
}

async function restoreRows(
  sql: SQL,
  table: string,
  content: ArchiveEntry["content"],
  { path, name }: { path: string; name: string },
) {
  const counts = await listCounts(sql, table);
  let rows: SqlRow[] = [];
  let length = 0;
  let number = 0;
  const flush = async () => {
    await insertRows(sql, table, rows).catch((error: unknown) => {
      throw new OperatorError(`${path}: rows of ${table} do not fit together`, { cause: error });
    });
    [rows, length] = [[], 0];
  };
  for await (const line of readLines(content)) {
    const at = `${name}, line ${(number += 1)}`;
    const row = parseJson(line);
    if (!isRow(row)) throw new OperatorError(`${path} holds something other than a row: ${at}`);
    for (const [column, value] of Object.entries(row)) {
      if (value === null || isStorable(`${table}.${column}`, value, counts.includes(column)))
        continue;
      throw new OperatorError(`${path} holds a value that ${column} cannot have: ${at}`);
    }
    rows.push(row);
    length += line.length;
    if (rows.length === BATCH_ROWS || length > MAX_LINE_LENGTH) await flush();
  }
  await flush();
}

/** The columns of whole numbers: SQLite stores any value in them, Postgres larger ones than we read. */
function listCounts(sql: SQL, table: string): Promise<string[]> {
  return readColumn(
    isPostgres(sql)
      ? sql`select column_name::text from information_schema.columns
          where table_schema = current_schema() and table_name = ${table} and data_type like '%int%'`
      : sql`select name from pragma_table_info(${table}) where type like '%int%'`,
  );
}

/** The lines of UTF-8; what is too long or no text ends them with one that is no row. */
async function* readLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of content) {
    try {
      rest += decoder.decode(chunk, { stream: true });
    } catch {
      return yield "";
    }
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
    if (rest.length > MAX_LINE_LENGTH) return yield "";
  }
}

const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{3})?Z)?$/;

/** Columns of JSON: lists, objects, and either. What those hold changes with the schema. */
const LISTS = /\.(?:added_tags|changes|fields|mapping|problems|refusals)$/;
const OBJECTS =
  /\.(?:analysis|config|content|counts|credentials|custom|defaults|notice|payload|reports|said|told|undo)$/;
const VALUES = /^(?:checks\.result|settings\.value)$/;
/** How JSON spells NUL and half a surrogate pair, which no column of text can have. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;
const DOMAIN_NAMES = /^(?:account_names|bin|checks|domains|import_rows)\.name$/;

/** Whether a column, `table.column`, can have a value: mostly, its name tells of what kind it is. */
function isStorable(column: string, value: string | number, isCount: boolean): boolean {
  const text = String(value);
  // Postgres gives large whole numbers as texts.
  if (isCount) return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text));
  if (/_on$|\.expires_earliest$/.test(column)) return isDay(text);
  if (/[._]at$/.test(column)) return INSTANT.test(text);
  // Postgres stores no NUL.
  if (!text.isWellFormed() || text.includes("\0")) return false;
  if (DOMAIN_NAMES.test(column)) {
    const parsed = parseDomainName(text);
    return "name" in parsed && parsed.name === text;
  }
  const start = LISTS.test(column) ? "[" : OBJECTS.test(column) ? "{" : "";
  if (start === "" && !VALUES.test(column)) return true;
  // Samples of a file are as they came.
  if (column !== "imports.analysis" && UNSTORABLE.test(text)) return false;
  return text.startsWith(start) && parseJson(text) !== undefined;
}

/** Undefined for what is not JSON, or nested too deeply to parse. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRow(value: unknown): value is SqlRow {
  const isCell = (each: unknown) =>
    each === null || typeof each === "string" || typeof each === "number";
  return (
    isRecord(value) &&
    Object.entries(value).every(([name, each]) => /^[a-z_\d]{1,63}$/.test(name) && isCell(each))
  );
}

/** The command `restore FILE`. @throws {OperatorError} */
export async function restore(databaseUrl: string, path: string): Promise<void> {
  await inDatabase(await openDatabase(databaseUrl), (database) => restoreBackup(database, path));
}
