import type { SQL } from "bun";
import { isPostgres } from "./database.ts";

/** The time that what ends goes by, read inside the transaction that begins, takes or checks it. */
export type ReadNow = (sql: SQL) => Promise<Date>;

/**
 * Postgres's time, as the clocks of its instances differ; SQLite's is this machine's.
 *
 * @param clock Of tests, in place of both.
 */
export function databaseClock(clock?: () => Date): ReadNow {
  return async (sql) => {
    if (clock !== undefined) return clock();
    if (!isPostgres(sql)) return new Date();
    const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
    return row?.now ?? new Date();
  };
}

/**
 * The instant in so many seconds, for a statement, by the same clock: that at which the statement
 * began, as an index takes only one that stands still.
 */
export function instantIn(sql: SQL, seconds: number): SQL.Query<unknown> {
  if (!isPostgres(sql)) return sql`${new Date(Date.now() + seconds * 1000).toISOString()}`;
  return sql`to_char(statement_timestamp() at time zone 'utc' + make_interval(secs => ${seconds}),
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
