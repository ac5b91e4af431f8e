import type { SQL } from "bun";
import { createCounter, createHistogram, gauge, type Metric } from "../shared/metrics.ts";
import { eachQueue } from "./checks/store.ts";
import { type Database, isPostgres } from "./database/database.ts";
import { logFailure } from "./database/database-error.ts";
import type { ReadNow } from "./database/clock.ts";

/**
 * Gauges that are read from the database, by few looks into an index or from tables that stay small.
 * Columns are labels, but for `value`, or the time `since`, which becomes the seconds until now.
 */
type Query = (sql: SQL, at: string, areChecksOn: boolean) => Rows | null;
type Rows = SQL.Query<{ value?: unknown; since?: string | null }[]>;

const GAUGES: readonly [name: string, help: string, query: Query][] = [
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
  [
    "freehold_uploads_bytes",
    "Uploads that are kept for an import, for a day.",
    (sql) => sql`select coalesce(sum(bytes), 0) as value from uploads`,
  ],
  [
    "freehold_checks_oldest_due_seconds",
    "For how long a check has been due, while checks are on; 0 where none is.",
    (sql, at, areChecksOn) =>
      areChecksOn
        ? sql`${eachQueue(sql)} select min((select min(due_at) from checks c
            where c.queue = q.queue and c.due_at <= ${at})) as since from queues q`
        : null,
  ],
  [
    "freehold_channels",
    "Channels; only those that work are sent to.",
    (sql) => sql`select kind, state, count(*) as value from channels group by kind, state`,
  ],
  [
    "freehold_deliveries_pending",
    "Messages that are still to be sent.",
    (sql) => sql`select count(*) as value from deliveries where due_at is not null`,
  ],
  [
    "freehold_deliveries_oldest_due_seconds",
    "For how long a message to a working channel has been due; 0 where none is.",
    (sql, at) => sql`select min(due_at) as since from deliveries where due_at <= ${at}
      and exists (select 1 from channels c where c.id = channel_id and c.state = 'working')`,
  ],
  [
    "freehold_registrar_accounts",
    "Accounts, by how their last reading ended.",
    (sql) => sql`select registrar, state, coalesce(outcome, 'none') as outcome,
      count(*) as value from registrar_accounts group by registrar, state, outcome`,
  ],
  [
    "freehold_registrar_accounts_oldest_list_seconds",
    "Age of the last complete list of the account that waits longest; 0 without accounts.",
    (sql) => sql`select min(coalesce(complete_at, created_at)) as since
      from registrar_accounts where state = 'on'`,
  ],
];

/** How old gauges may be: several may ask for them. */
const MAX_AGE_MS = 10_000;

/**
 * Reads all gauges in one transaction, at most every 10 s. Where the database cannot be asked, they are
 * missing and `freehold_database_up` is 0.
 */
export function createGauges(
  database: Database,
  { readNow, areChecksOn }: { readNow: ReadNow; areChecksOn: () => Promise<boolean> },
): () => Promise<Metric[]> {
  let last = { at: -Infinity, read: Promise.resolve<Metric[]>([]) };
  const up = (value: number) =>
    gauge("freehold_database_up", "1 where this instance can read the database.", [{ value }]);

  async function readAll(): Promise<Metric[]> {
    const isChecking = await areChecksOn();
    return database.read(async (sql) => {
      const now = await readNow(sql);
      const metrics = [up(1)];
      for (const [name, help, query] of GAUGES) {
        const rows = await query(sql, now.toISOString(), isChecking);
        const samples = Array.from(rows ?? [], ({ since, value, ...labels }) => {
          const age = since ? (now.getTime() - Date.parse(since)) / 1000 : 0;
          return { ...labels, value: Number(value ?? age) };
        });
        metrics.push(gauge(name, `${help} Of all instances: each says the same.`, samples));
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

/** Counts the transactions of a database by what is asked of it. */
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
  const measure = async <T>(kind: string, transaction: Promise<T>): Promise<T> => {
    const began = performance.now();
    open.add({ kind });
    try {
      return await transaction;
    } finally {
      open.add({ kind }, -1);
      durations.observe((performance.now() - began) / 1000, { kind });
    }
  };
  const measured: Database = {
    ...database,
    read: (work) => measure("read", database.read(work)),
    readMany: (job, input) => measure("read-many", database.readMany(job, input)),
    snapshot: (work) => measure("snapshot", database.snapshot(work)),
    write: (work) => measure("write", database.write(work)),
    writeMany: (job, input) => measure("write-many", database.writeMany(job, input)),
  };
  return { measured, counters: [open, durations] };
}
