import type { SQL } from "bun";
import { type Fragment, isPostgres } from "../database/database.ts";
import type { Instant } from "../../shared/day.ts";
import { isUnavailable } from "../database/database-error.ts";

/**
 * How instances share work: rows with `due_at`, `priority` and `leased_until`. A due row is leased; what
 * finishes it writes the next `due_at` and clears the lease. An uncleared lease expires.
 */
interface LeaseRequest {
  table: string;
  /** Columns of the primary key. */
  key: readonly string[];
  where: Fragment;
  now: Date;
  leaseMs: number;
  limit: number;
}

/** Records how leased work ended, and retries each second until the lease expires, at `endsAt`. */
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

/** Leases due rows, inside a write: the highest priority, then the longest due. */
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
        -- A lease that ends later than a new one comes from a clock that was ahead.
        and (leased_until is null or leased_until <= ${at} or leased_until > ${until})
        and ${where}
      order by priority desc, due_at limit ${limit} ${skip})
    update ${sql(table)} set leased_until = ${until}
    where (${sql.unsafe(keys)}) in (select ${sql.unsafe(keys)} from picked) returning *`;
}
