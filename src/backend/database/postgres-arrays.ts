import type { SQL } from "bun";
import type { Insertion, SqlValue } from "./statement.ts";

/** The types of a table's columns, by their names. */
export type ColumnTypes = ReadonlyMap<string, string>;

/** What JSON writes in another way than an array of Postgres: a backslash before a letter. */
const FOREIGN_ESCAPE = /\\[^"\\]/;

/** Every escape of JSON: what is escaped as a number, or what stands behind the backslash. */
const ESCAPE = /\\(?:u([0-9a-f]{4})|(.))/g;

const CONTROLS: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Values as one array, as Postgres reads it: PostgreSQL §8.15.2. */
export function toArray(values: readonly SqlValue[]): string {
  const json = JSON.stringify(values);
  return `{${(FOREIGN_ESCAPE.test(json) ? withoutEscapes(json) : json).slice(1, -1)}}`;
}

function withoutEscapes(json: string): string {
  return json.replace(ESCAPE, (escape, code: string | undefined, character: string) =>
    code === undefined ? (CONTROLS[character] ?? escape) : String.fromCharCode(parseInt(code, 16)),
  );
}

/** Reads the types of a table's columns; none where there is no such table. */
export async function readColumnTypes(sql: SQL, table: string): Promise<ColumnTypes> {
  const rows = await sql<{ name: string; type: string }[]>`
    select attname::text as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`;
  return new Map([...rows].map(({ name, type }) => [name, type]));
}

/**
 * An insertion that takes its rows as an array for each column: to bind each value by itself, and to
 * plan a statement of thousands of them, takes longer than to write them. Null where a column has no
 * type, as nobody knows it.
 */
export function insertArrays(
  { table, columns, rows, clause }: Insertion,
  types: ColumnTypes,
): { text: string; values: string[] } | null {
  if (!columns.every((column) => types.has(column))) return null;
  const arrays = columns.map((column, index) => `$${index + 1}::${types.get(column)}[]`);
  const text = `insert into ${table} (${columns.join(", ")})
    select * from unnest(${arrays.join(", ")}) ${clause}`;
  const values = columns.map((column, index) => {
    const all = rows.map((row) => row[column] ?? null);
    // A shorter array goes on with nulls; one has to be as long as there are rows.
    return index > 0 && all.every((value) => value === null) ? "{}" : toArray(all);
  });
  return { text, values };
}
