import type { SQL } from "bun";

/** Rows that a transaction changes in a table before that is looked at anew. */
const MANY = 1000;

/** How closely: by 300 rows for each of these, which takes some ten milliseconds in all. */
const TARGET = "10";

/**
 * Looks anew at the tables in which this transaction has changed many rows, so that the first
 * statement after it is planned for what is there: at their columns in indexes. Postgres itself does
 * so within a minute, and more closely: as the columns are named, it does not take this for that.
 */
export async function renewStatistics(sql: SQL): Promise<void> {
  const statements = await sql<{ text: string }[]>`
    select format('analyze (skip_locked) %s (%s)', relid::regclass,
      string_agg(quote_ident(attname), ', ')) as text
    from pg_stat_xact_user_tables join pg_attribute on attrelid = relid
    where exists (select from pg_index where indrelid = relid and attnum = any(indkey))
      and n_tup_ins + n_tup_upd + n_tup_del >= ${MANY}
    group by relid`;
  if (statements.length === 0) return;
  await sql`select set_config('default_statistics_target', ${TARGET}, true)`;
  for (const { text } of statements) await sql.unsafe(text);
}
