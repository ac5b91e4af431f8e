import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import { isUnavailable } from "../database/database-error.ts";
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

/**
 * Writes down how leased work ended, again each second while the database is not available: once the
 * lease is over, at `endsAt` of `performance.now`, the work would be done once more.
 */
export async function finishLeased<T>(
  write: () => Promise<T>,
  endsAt: number,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUnavailable(error) || signal.aborted || performance.now() > endsAt) throw error;
    await Bun.sleep(1000);
    return finishLeased(write, endsAt, signal);
  }
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
