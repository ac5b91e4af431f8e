import type { SQL } from "bun";
import { type Fragment, isPostgres } from "./database.ts";

/** Reads the time that anything which expires goes by, inside the transaction that uses it. */
export type ReadNow = (sql: SQL) => Promise<Date>;

/** The clock of Postgres, as instances differ; for SQLite this machine's. Tests give a `clock`. */
export function databaseClock(clock?: () => Date): ReadNow {
  return async (sql) => {
    if (clock !== undefined) return clock();
    if (!isPostgres(sql)) return new Date();
    const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
    return row?.now ?? new Date();
  };
}

/** `seconds` from now in SQL; on Postgres since the statement began, a constant for indexes. */
export function instantIn(sql: SQL, seconds: number): Fragment {
  if (!isPostgres(sql)) return sql`${new Date(Date.now() + seconds * 1000).toISOString()}`;
  return sql`to_char(statement_timestamp() at time zone 'utc' + make_interval(secs => ${seconds}),
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
