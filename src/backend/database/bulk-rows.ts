import type { SQL } from "bun";
import { isPostgres } from "./database.ts";

/** A value that both databases store as it is. */
export type SqlValue = string | number | null;

export type SqlRow = Readonly<Record<string, SqlValue>>;

/** How `JSON.stringify` writes half a surrogate pair, which is no text in UTF-8. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/** Parameters that a statement of SQLite takes. */
const MAX_SQLITE_PARAMETERS = 32_766;

/** Parts of a list that one statement can name. */
export function* chunks<T>(items: readonly T[], size = 500): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * Adds rows; what a row lacks is null. Columns that are null in all of them are left out, as each
 * value that is bound or parsed takes time. `clause` is SQL text behind them, such as
 * `on conflict do nothing`. To Postgres they go as one JSON value, as it takes longer to bind and plan
 * thousands of values than to write them; SQLite takes longer to parse JSON than to bind.
 */
export async function insertRows(
  sql: SQL,
  table: string,
  rows: readonly SqlRow[],
  clause = "",
): Promise<void> {
  if (rows.length === 0) return;
  const columns = filledColumns(rows);
  const into = `insert into ${table} (${columns.join(", ")})`;
  if (isPostgres(sql)) {
    const source = rowSource(sql, table, columns);
    const text = `${into} select ${columns.join(", ")} from ${source} r ${clause}`;
    await sql.unsafe(text, [toJson(sql, rows, columns)]);
    return;
  }
  const size = Math.floor(MAX_SQLITE_PARAMETERS / columns.length);
  const row = `(${columns.map(() => "?").join(",")})`;
  for (let start = 0; start < rows.length; start += size) {
    const part = rows.slice(start, start + size);
    const values: SqlValue[] = [];
    for (const each of part) for (const column of columns) values.push(each[column] ?? null);
    await sql.unsafe(`${into} values ${part.map(() => row).join(",")} ${clause}`, values);
  }
}

/** Overwrites columns of rows that are there, found by `id`; a row that is gone stays gone. */
export async function updateRows(
  sql: SQL,
  table: string,
  rows: readonly (SqlRow & { id: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = columnsOf(rows);
  const sets = columns
    .filter((column) => column !== "id")
    .map((column) => `${column} = r.${column}`);
  const source = rowSource(sql, table, columns);
  await sql.unsafe(
    `update ${table} set ${sets.join(", ")} from ${source} r where ${table}.id = r.id`,
    [toJson(sql, rows, columns)],
  );
}

function filledColumns(rows: readonly SqlRow[]): string[] {
  const filled = new Set<string>();
  for (const row of rows) {
    for (const column in row) if (row[column] !== null) filled.add(column);
  }
  return [...filled];
}

function columnsOf(rows: readonly SqlRow[]): string[] {
  return Object.keys(rows[0] ?? {});
}

/** SQL text of a table that reads its rows from the JSON in the first parameter. */
function rowSource(sql: SQL, table: string, columns: readonly string[]): string {
  if (isPostgres(sql)) return `json_populate_recordset(null::${table}, $1::text::json)`;
  const values = columns.map((column, index) => `value ->> ${index} as ${column}`);
  return `(select ${values.join(", ")} from json_each($1))`;
}

function toJson(sql: SQL, rows: readonly SqlRow[], columns: string[]): string {
  // SQLite reads arrays faster than objects, of which it would look for each name.
  const items = isPostgres(sql)
    ? rows
    : rows.map((row) => columns.map((column) => row[column] ?? null));
  const json = JSON.stringify(items, columns);
  if (!LONE_SURROGATE.test(json)) return json;
  return JSON.stringify(items, (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
}
