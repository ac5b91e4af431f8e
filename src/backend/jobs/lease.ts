import type { SQL } from "bun";
import { type Database, type Fragment, isPostgres, type ReadNow } from "../database/database.ts";
import { DAY_MS, type Instant } from "../../shared/day.ts";
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

/** Longer than an account or a message waits for its next try. */
const MAX_WAIT_MS = 3 * DAY_MS;

/** Makes due what a clock that was ahead has put off. */
export async function endWaits(
  database: Database,
  table: "registrar_accounts" | "deliveries",
  readNow: ReadNow,
): Promise<void> {
  await database.write(async (sql) => {
    const now = await readNow(sql);
    const last = new Date(now.getTime() + MAX_WAIT_MS).toISOString();
    await sql`update ${sql(table)} set due_at = ${now.toISOString()} where due_at > ${last}`;
  });
}
