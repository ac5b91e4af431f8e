import { SQL } from "bun";
import { DatabaseError, explainOpening, isConflict, UnavailableError } from "./database-error.ts";
import type { Database, ManyWork } from "./database.ts";
import { collatingBytewise } from "./postgres-collation.ts";
import { createSender, type Send } from "./postgres-sender.ts";
import { renewStatistics } from "./postgres-statistics.ts";
import { readByKeys } from "./read-by-keys.ts";
import { runAll } from "./run-all.ts";

/** Seconds that a connection may take to come about: less than anybody waits for an answer. */
const CONNECTION_TIMEOUT = 2;

/** Milliseconds after which a database that does not answer is given up. */
export interface Patience {
  /** For all that one piece of work reads, waiting for a connection included. */
  read: number;
  /** For a piece of work that writes; where it writes thousands of rows, for each step of it. */
  write: number;
}

/** A write may wait longer than the server lets a statement take, so that this one is heard first. */
const PATIENCE: Patience = { read: 5000, write: 20_000 };

const READING = "isolation level repeatable read read only";
const WRITING = "isolation level repeatable read";

/**
 * What the server ends by itself: a statement, a wait for a lock, a transaction left alone. It plans
 * each statement anew: the plan that it made while a table was empty would outlive an import. It
 * takes a register for what it is, something that memory holds, where going by an index costs hardly
 * more than going through the table; sorts the rows of an import there; and compiles no statement,
 * which takes longer than running it.
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

/** Rows that one statement has to do with where thousands are written: each is a way there and back. */
const SIZE = 20_000;

/** How often a transaction is tried that another one was in the way of. */
const ATTEMPTS = 10;

/** One lock for all instances of this program on one database; any number that nobody else uses. */
const RESTRUCTURING = 4_937_162_205;

/**
 * Opens a pool of connections to the Postgres database that `url` names; its query may say `sslmode`
 * and `max`, the number of connections (10).
 *
 * @throws {DatabaseError} When it cannot be reached, used, or is not in UTF-8.
 */
export async function openPostgres(url: string, patience: Patience = PATIENCE): Promise<Database> {
  const { place, database } = parseUrl(url);
  // Named once more: PGDATABASE of the environment would outrank the URL.
  const sql = new SQL(url, {
    database,
    connectionTimeout: CONNECTION_TIMEOUT,
    connection: SESSION,
  });
  try {
    const [row] = await sql<{ encoding: string }[]>`
      select current_setting('server_encoding') as encoding`;
    if (row?.encoding !== "UTF8") {
      throw new DatabaseError(
        `The database ${place} must be encoded in UTF8, but it is in ${row?.encoding}`,
      );
    }
    return pooled(place, sql, patience);
  } catch (error) {
    await sql.close({ timeout: 0 }).catch(() => undefined);
    throw explainOpening(place, error);
  }
}

/** What may be said of a URL, and its database. @throws {DatabaseError} */
function parseUrl(url: string): { place: string; database: string } {
  const parsed = URL.parse(url);
  const database = parsed?.pathname.slice(1) ?? "";
  if (parsed === null || parsed.hostname === "" || !/^[^/]+$/.test(database)) {
    throw new DatabaseError("The database URL must be postgres://<user>@<host>/<database>");
  }
  return { place: `${database} on ${parsed.host}`, database: decodeURIComponent(database) };
}

function pooled(place: string, sql: SQL, patience: Patience): Database {
  let closing: Promise<void> | null = null;
  const send = createSender();

  const database: Database = {
    place,
    read: (work) => hold(sql, patience.read, (connection) => connection.begin(READING, work)),
    write: (work) =>
      again(() => hold(sql, patience.write, (connection) => connection.begin(WRITING, work))),
    run: (statement) =>
      again(() => hold(sql, patience.write, (connection) => send(connection, statement))),
    runEach: (work) => runAll(work, database.run),
    writeMany: (work) =>
      again(() =>
        hold(sql, patience.write, (connection, renew) =>
          connection.begin(WRITING, (transaction) => runMany(transaction, work, { send, renew })),
        ),
      ),
    restructure: (work) =>
      sql.begin(async (transaction) => {
        await transaction`set local statement_timeout = 0`;
        await transaction`set local lock_timeout = 0`;
        await transaction`select pg_advisory_xact_lock(${RESTRUCTURING})`;
        return collatingBytewise(transaction, work);
      }),
    close: () => (closing ??= sql.close({ timeout: 5 })),
  };
  return database;
}

async function runMany<T>(
  sql: SQL,
  work: ManyWork<T>,
  { send, renew }: { send: Send; renew: () => void },
): Promise<T> {
  // Otherwise the check of a foreign key would be planned anew for each row; but not by a plan from
  // when the tables were small.
  await sql`set local plan_cache_mode = auto`;
  await sql`discard plans`;
  await readByKeys(sql);
  const result = await runAll(work(sql, SIZE), async (statement) => {
    renew();
    await send(sql, statement);
    renew();
  });
  await renewStatistics(sql);
  return result;
}

/**
 * Works on one connection, which is given up when it does not answer in time; `renew` begins to
 * count anew.
 */
async function hold<T>(
  sql: SQL,
  milliseconds: number,
  work: (sql: SQL, renew: () => void) => Promise<T>,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  late.catch(() => undefined);
  const patience = new AbortController();
  const timer = setTimeout(() => {
    const error = new UnavailableError(`The database did not answer within ${milliseconds} ms`);
    patience.abort(error);
    reject(error);
  }, milliseconds);
  try {
    const connection = await sql.reserve({ signal: patience.signal });
    const answer = work(connection, () => timer.refresh());
    return await Promise.race([answer, late]).finally(() => {
      if (patience.signal.aborted) void connection.close({ timeout: 0 }).catch(() => undefined);
      else connection.release();
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a transaction anew that the server undid because of another one: PostgreSQL §13.5. */
async function again<T>(transaction: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (!isConflict(error) || attempts <= 1) throw error;
    // Not all at once, and each time with more patience.
    await Bun.sleep(Math.random() * 20 * (ATTEMPTS - attempts + 1));
    return again(transaction, attempts - 1);
  }
}
