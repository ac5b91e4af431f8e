import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import { isPostgres } from "../database/database.ts";

/**
 * The one way in which work that runs by itself is shared among instances: a table whose rows have
 * `due_at`, `priority` and `leased_until`. A row that is due is leased for a while; who finishes it
 * writes its next `due_at` and clears the lease. A lease that nobody clears ends by itself, so that
 * work of a killed process is done by another.
 */
interface LeaseRequest {
  table: string;
  /** The primary key. */
  key: readonly string[];
  /** A condition on the table's own columns. */
  where: SQL.Query<unknown>;
  now: Date;
  leaseMs: number;
  limit: number;
}

/** The time that leases go by, read inside the transaction that takes or checks one. */
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

/** The instant in so many seconds, for a statement: by the same clock. */
export function instantIn(sql: SQL, seconds: number): SQL.Query<unknown> {
  if (!isPostgres(sql)) return sql`${new Date(Date.now() + seconds * 1000).toISOString()}`;
  return sql`to_char(clock_timestamp() at time zone 'utc' + make_interval(secs => ${seconds}),
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * Leases rows that are due, the highest priority first, then the longest due. Inside a write. On
 * Postgres it passes over rows that another instance is leasing; SQLite has one writer at a time.
 */
export async function leaseDue<Row>(
  sql: SQL,
  { table, key, where, now, leaseMs, limit }: LeaseRequest,
): Promise<Row[]> {
  const at: Instant = now.toISOString();
  const until: Instant = new Date(now.getTime() + leaseMs).toISOString();
  const keys = key.join(", ");
  const skip = isPostgres(sql) ? sql`for update skip locked` : sql``;
  return sql<Row[]>`
    with picked as materialized (
      select ${sql.unsafe(keys)} from ${sql(table)}
      where due_at <= ${at}
        -- One that ends later than a new one would is of a clock that was ahead.
        and (leased_until is null or leased_until <= ${at} or leased_until > ${until})
        and ${where}
      order by priority desc, due_at limit ${limit} ${skip})
    update ${sql(table)} set leased_until = ${until}
    where (${sql.unsafe(keys)}) in (select ${sql.unsafe(keys)} from picked) returning *`;
}
