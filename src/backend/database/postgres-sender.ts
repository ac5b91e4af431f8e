import type { SQL } from "bun";
import { insertArrays, readColumnTypes, type ColumnTypes } from "./postgres-arrays.ts";
import type { Statement } from "./statement.ts";

/** Rows that are written as arrays; fewer are not worth another question. */
const MANY = 10;

/** Sends a statement and waits until it is done. */
export type Send = (sql: SQL, statement: Statement) => Promise<void>;

/** A way to send statements: those that add many rows as arrays. It asks once for a table's columns. */
export function createSender(): Send {
  const tables = new Map<string, ColumnTypes>();
  return async (sql, statement) => {
    const { insertion } = statement;
    if (insertion !== undefined && insertion.rows.length >= MANY) {
      const { table } = insertion;
      const types = tables.get(table) ?? (await readColumnTypes(sql, table));
      const arrays = insertArrays(insertion, types);
      if (arrays !== null) {
        tables.set(table, types);
        await sql.unsafe(arrays.text, arrays.values);
        return;
      }
    }
    const { texts, values } = statement;
    const text = texts.map((part, index) => (index === 0 ? part : `$${index}${part}`)).join("");
    await sql.unsafe(text, [...values]);
  };
}
