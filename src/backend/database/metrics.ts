import type { SQL } from "bun";
import { createCounter, createHistogram, gauge, type Metric } from "../../shared/metrics.ts";
import { type Database, isPostgres, wrapDatabase, type ReadNow } from "./database.ts";
import { logFailure } from "./database-error.ts";

/**
 * Read by few looks into an index or from small tables. Columns are labels, but for `value`, or the
 * time `since`, which becomes the seconds until now.
 */
export type Gauge = readonly [
  name: string,
  help: string,
  query: (sql: SQL, at: string) => Rows | null | Promise<Awaited<Rows> | null>,
];
type Rows = SQL.Query<{ value?: unknown; since?: string | null }[]>;

const OF_DATABASE: readonly Gauge[] = [
  [
    "freehold_database_size_bytes",
    "Tables and indexes.",
    (sql) =>
      isPostgres(sql)
        ? sql`select pg_database_size(current_database()) as value`
        : sql`select page_count * page_size as value from pragma_page_count(), pragma_page_size()`,
  ],
  [
    "freehold_database_connections",
    "Connections to Postgres.",
    (sql) =>
      isPostgres(sql)
        ? sql`select coalesce(state, 'unknown') as state, count(*) as value from pg_stat_activity
            where datname = current_database() and application_name = 'freehold' group by 1`
        : null,
  ],
];

const MAX_AGE_MS = 10_000;

/** Reads all gauges at most every 10 s; if that fails, `freehold_database_up` alone, as 0. */
export function createGauges(database: Database, ofRooms: readonly Gauge[], readNow: ReadNow) {
  let last = { at: -Infinity, read: Promise.resolve<Metric[]>([]) };
  const up = (value: number) =>
    gauge("freehold_database_up", "1 if this instance can read the database.", [{ value }]);

  async function readAll(): Promise<Metric[]> {
    return database.read(async (sql) => {
      const now = await readNow(sql);
      const metrics = [up(1)];
      for (const [name, help, query] of [...OF_DATABASE, ...ofRooms]) {
        const rows = await query(sql, now.toISOString());
        const samples = Array.from(rows ?? [], ({ since, value, ...labels }) => {
          const age = since ? (now.getTime() - Date.parse(since)) / 1000 : 0;
          return { ...labels, value: Number(value ?? age) };
        });
        metrics.push(gauge(name, `${help} Of all instances: each reports the same.`, samples));
      }
      return metrics;
    });
  }

  const fail = (error: unknown) => {
    logFailure("Reading gauges failed")(error);
    return [up(0)];
  };

  return () => {
    if (performance.now() >= last.at + MAX_AGE_MS)
      last = { at: performance.now(), read: readAll().catch(fail) };
    return last.read;
  };
}

export function measureDatabase(database: Database) {
  const open = createCounter(
    "freehold_database_transactions",
    "Transactions that run or wait.",
    "gauge",
  );
  const durations = createHistogram(
    "freehold_database_transaction_duration_seconds",
    "Transactions, with their wait for a connection or for other writers.",
  );
  const measured = wrapDatabase(database, async (start, kind) => {
    const began = performance.now();
    open.add({ kind });
    try {
      return await start();
    } finally {
      open.add({ kind }, -1);
      durations.observe((performance.now() - began) / 1000, { kind });
    }
  });
  return { measured, counters: [open, durations] };
}
