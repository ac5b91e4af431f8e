import type { SQL } from "bun";
import { toArray } from "./postgres-arrays.ts";

/** That the column before it is one of some texts, in the form that takes many of them best. */
export function isOneOf(sql: SQL, keys: readonly string[]): SQL.Query<unknown> {
  return isPostgres(sql) ? sql`= any(${toArray(keys)}::text[])` : sql`in ${sql(keys)}`;
}

/**
 * Lets what follows in this transaction find rows by their keys. Postgres may otherwise go through
 * a whole table for a few hundred, as it knows nothing yet of what an import has just added.
 */
export async function readByKeys(sql: SQL): Promise<void> {
  if (!isPostgres(sql)) return;
  await sql`select set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_hashjoin', 'off', true)`;
}

function isPostgres(sql: SQL): boolean {
  return sql.options.adapter === "postgres";
}
