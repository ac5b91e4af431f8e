import type { SQL } from "bun";
import { isPostgres } from "./database.ts";

export type SqlValue = string | number | null;

export type SqlRow = Readonly<Record<string, SqlValue>>;

/** How `JSON.stringify` writes half a surrogate pair, which is no text in UTF-8. */
const LONE_SURROGATE = /\\ud[89a-f]/;

const MAX_SQLITE_PARAMETERS = 32_766;

export function* chunks<T>(items: readonly T[], size = 500): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * Adds rows; a missing column is null. `clause` is SQL behind them, such as `on conflict do
 * nothing`. Postgres gets one JSON value, as binding and planning thousands takes longer than
 * writing them; SQLite binds faster than it parses JSON. An error must end the transaction: SQLite
 * keeps the rows before it.
 */
export async function insertRows(sql: SQL, table: string, rows: readonly SqlRow[], clause = "") {
  if (rows.length === 0) return;
  const columns = filledColumns(rows);
  const into = `into ${table} (${columns.join(", ")})`;
  if (isPostgres(sql)) {
    const source = rowSource(table);
    const text = `insert ${into} select ${columns.join(", ")} from ${source} r ${clause}`;
    await sql.unsafe(text, [toJson(rows, columns)]);
    return;
  }
  for (const { text, values } of valueLists(rows, columns)) {
    await sql.unsafe(`insert or fail ${into} ${text} ${clause}`, values);
  }
}

/** Overwrites columns of existing rows, found by `id`. */
export async function updateRows(
  sql: SQL,
  table: string,
  rows: readonly (SqlRow & { id: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0] ?? {});
  const sets = columns
    .filter((column) => column !== "id")
    .map((column) => `${column} = r.${column}`);
  const set = `${table} set ${sets.join(", ")} from`;
  if (isPostgres(sql)) {
    const text = `update ${set} ${rowSource(table)} r where ${table}.id = r.id`;
    await sql.unsafe(text, [toJson(rows, columns)]);
    return;
  }
  for (const { text, values } of valueLists(rows, columns)) {
    const source = `with r (${columns.join(", ")}) as (${text})`;
    await sql.unsafe(`${source} update or fail ${set} r where ${table}.id = r.id`, values);
  }
}

/** SQL text of as many rows as a statement of SQLite takes, and its parameters. */
function* valueLists(rows: readonly SqlRow[], columns: readonly string[]) {
  const row = `(${columns.map(() => "?").join(",")})`;
  for (const part of chunks(rows, Math.floor(MAX_SQLITE_PARAMETERS / columns.length))) {
    const values: SqlValue[] = [];
    for (const each of part) for (const column of columns) values.push(each[column] ?? null);
    yield { text: `values ${part.map(() => row).join(",")}`, values };
  }
}

function filledColumns(rows: readonly SqlRow[]): string[] {
  const filled = new Set<string>();
  for (const row of rows) {
    for (const column in row) if (row[column] !== null) filled.add(column);
  }
  return [...filled];
}

/** SQL text that reads rows of a table from the JSON in the first parameter. */
function rowSource(table: string): string {
  return `json_populate_recordset(null::${table}, $1::text::json)`;
}

function toJson(rows: readonly SqlRow[], columns: string[]): string {
  const json = JSON.stringify(rows, columns);
  if (!LONE_SURROGATE.test(json)) return json;
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
}
