import { SQL } from "bun";
import { OperatorError } from "../../shared/log.ts";
import {
  explainOpening,
  isConflict,
  isUniqueViolation,
  UnavailableError,
} from "./database-error.ts";
import type { Job, Database, Timeouts } from "./database.ts";
import { createQueue } from "./event-loop.ts";

/** Longer than the server lets a statement take, so that the server's own error arrives first. */
const TIMEOUTS: Timeouts = { readMs: 5000, writeMs: 20_000, bulkMs: 300_000 };

const SNAPSHOT_TIMEOUT_MS = 60 * 60_000;

const READING = "isolation level repeatable read read only";
const WRITING = "isolation level repeatable read";

/**
 * Plans follow the values, as one made for an empty table would outlive an import; the data fits in
 * memory, where an index costs little more than a scan; compiling takes longer than running.
 */
const SESSION = {
  application_name: "freehold",
  client_encoding: "UTF8",
  plan_cache_mode: "force_custom_plan",
  random_page_cost: "1.1",
  work_mem: "16MB",
  jit: "off",
  statement_timeout: "15s",
  lock_timeout: "5s",
  idle_in_transaction_session_timeout: "30s",
};

/** How long a bulk job waits for those before it, here and then in other instances. */
const BULK_WAIT_MS = 60_000;

const MAX_ATTEMPTS = 10;

/** Attempts of a bulk job before it locks out all other writers of domains. */
const MAX_SHARED_ATTEMPTS = 3;

/** Advisory locks shared by all instances on one database: arbitrary numbers. */
const MIGRATION_LOCK = 4_937_162_205;
const BULK_LOCK = 4_937_162_206;

/** The query of `url` may say `sslmode` and `max`, how many connections (10). @throws {OperatorError} */
export async function openPostgres(url: string, timeouts: Timeouts = TIMEOUTS): Promise<Database> {
  const { place, database } = parseUrl(url);
  // Passed once more, because PGDATABASE of the environment would outrank the URL.
  const sql = new SQL(url, {
    database,
    connectionTimeout: 2, // Seconds.
    connection: SESSION,
  });
  try {
    const [row] = await sql<{ encoding: string }[]>`
      select current_setting('server_encoding') as encoding`;
    if (row?.encoding !== "UTF8") {
      throw new OperatorError(
        `The database ${place} must be encoded in UTF8, but it is in ${row?.encoding}`,
      );
    }
    return createDatabase(place, sql, timeouts);
  } catch (error) {
    await sql.close({ timeout: 0 }).catch(() => undefined);
    throw explainOpening(place, error);
  }
}

/** Returns a log-safe label and the database name. @throws {OperatorError} */
function parseUrl(url: string): { place: string; database: string } {
  const parsed = URL.parse(url);
  const database = parsed?.pathname.slice(1) ?? "";
  if (parsed === null || parsed.hostname === "" || !/^(?:[^/%]|%[0-9a-f]{2})+$/i.test(database)) {
    throw new OperatorError("The database URL must be postgres://<user>@<host>/<database>");
  }
  return { place: `${database} on ${parsed.host}`, database: decodeURIComponent(database) };
}

function createDatabase(place: string, sql: SQL, timeouts: Timeouts): Database {
  // Jobs of this instance wait here, and those of others for the lock: one connection is enough.
  const jobs = createQueue();
  let closing: Promise<void> | null = null;
  const begin = <T>(timeoutMs: number, mode: string, work: (sql: SQL) => Promise<T>) =>
    withConnection(sql, timeoutMs, (connection) => connection.begin(mode, work));

  return {
    place,
    read: (work) => begin(timeouts.readMs, READING, work),
    readMany: (job, input) => begin(timeouts.readMs, READING, (reader) => job.run(reader, input)),
    snapshot: (work) => begin(SNAPSHOT_TIMEOUT_MS, READING, work),
    write: (work) => retry(() => begin(timeouts.writeMs, WRITING, work)),
    writeMany(job, input) {
      const run = (connection: SQL, attempt: number) =>
        connection.begin(WRITING, async (transaction) => {
          if (attempt > MAX_SHARED_ATTEMPTS) {
            // Edits every few milliseconds would make it fail forever. Each writer starts with these tables,
            // so none waits with a lock that the job needs.
            await transaction`lock table domains, imports in share row exclusive mode`;
          }
          return runJob(transaction, job, input);
        });
      const runLocked = (connection: SQL) =>
        withBulkLock(connection, () => retry((attempt) => run(connection, attempt)));
      return jobs(() => withConnection(sql, timeouts.bulkMs, runLocked), BULK_WAIT_MS);
    },
    migrate(work) {
      const run = async (transaction: SQL) => {
        await transaction`set local statement_timeout = 0`;
        await transaction`set local lock_timeout = 0`;
        await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
        return collateBytewise(transaction, work);
      };
      // Writers of an older instance lock the same tables in another order.
      return retry(() => sql.begin(run));
    },
    copyBefore: () => Promise.resolve(null),
    close: () => (closing ??= sql.close({ timeout: 5 })),
  };
}

async function runJob<Input, Result>(sql: SQL, job: Job<Input, Result>, input: Input) {
  // Checks of foreign keys run once for each row: they may keep their plan.
  await sql`set local plan_cache_mode = auto`;
  await sql`set local statement_timeout = 0`;
  const result = await job.run(sql, input);
  // Samples the tables at once, so that the next queries are planned for what the job wrote. A tenth
  // of the default takes some milliseconds, and does until the server itself looks more closely.
  await sql`set local default_statistics_target = 10`;
  await sql`analyze (skip_locked)
    domains, domain_search, tags, domain_tags, observations, changes, import_rows`;
  return result;
}

/**
 * Holds a lock of the session: a transaction takes its snapshot with its first statement, even if
 * that only waits for a lock, and would not see what the previous holder wrote.
 */
async function withBulkLock<T>(connection: SQL, work: () => Promise<T>): Promise<T> {
  await setTimeouts(connection, `${BULK_WAIT_MS}ms`, `${BULK_WAIT_MS}ms`);
  try {
    await connection`select pg_advisory_lock(${BULK_LOCK})`;
    await setTimeouts(connection);
    return await work();
  } finally {
    await connection`select pg_advisory_unlock(${BULK_LOCK})`;
    await setTimeouts(connection);
  }
}

function setTimeouts(
  connection: SQL,
  statement = SESSION.statement_timeout,
  lock = SESSION.lock_timeout,
) {
  return connection`select set_config('statement_timeout', ${statement}, false),
    set_config('lock_timeout', ${lock}, false)`;
}

/** Runs work on one connection, which is closed when the work takes longer than `timeoutMs`. */
async function withConnection<T>(
  sql: SQL,
  timeoutMs: number,
  work: (connection: SQL) => Promise<T>,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  late.catch(() => undefined);
  const timeout = new AbortController();
  const timer = setTimeout(() => {
    const error = new UnavailableError(
      `did not answer within ${timeoutMs} ms: is it overloaded, or paused?`,
    );
    timeout.abort(error);
    reject(error);
  }, timeoutMs);
  try {
    const connection = await sql.reserve({ signal: timeout.signal });
    return await Promise.race([work(connection), late]).finally(() => {
      if (timeout.signal.aborted) void connection.close({ timeout: 0 }).catch(() => undefined);
      else connection.release();
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Repeats a transaction after a conflict (PostgreSQL §13.5), or a unique row that it could not see. */
async function retry<T>(transaction: (attempt: number) => Promise<T>, attempt = 1): Promise<T> {
  try {
    return await transaction(attempt);
  } catch (error) {
    const attempts = isUniqueViolation(error) ? MAX_SHARED_ATTEMPTS : MAX_ATTEMPTS;
    const mayPass = isConflict(error) || isUniqueViolation(error);
    if (!mayPass || attempt >= attempts) throw error;
    // A random delay that grows, so that the same transactions do not meet again.
    await Bun.sleep(Math.random() * 20 * attempt);
    return retry(transaction, attempt + 1);
  }
}

/**
 * Makes text columns that `work` adds compare by bytes, as SQLite does: lists have the same order
 * on both, and no update of a locale breaks an index.
 */
async function collateBytewise<T>(sql: SQL, work: (sql: SQL) => Promise<T>): Promise<T> {
  const before = new Set((await listTextColumns(sql)).map(({ key }) => key));
  const result = await work(sql);
  const added = (await listTextColumns(sql)).filter(({ key }) => !before.has(key));
  for (const [table, columns] of Map.groupBy(added, (column) => column.table)) {
    const changes = columns.map(
      ({ name }, index) => sql`${index > 0 ? sql`,` : sql``}
        alter column ${sql(name)} type text collate "C"`,
    );
    await sql`alter table ${sql(table)} ${changes}`;
  }
  return result;
}

async function listTextColumns(sql: SQL) {
  const rows = await sql<{ table: string; name: string }[]>`
    select c.relname::text as "table", a.attname::text as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and a.atttypid = 'text'::regtype and a.attcollation <> '"C"'::regcollation
    order by c.relname, a.attnum`;
  return rows.map(({ table, name }) => ({ table, name, key: `${table}.${name}` }));
}
