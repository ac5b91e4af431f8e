import type { SQL } from "bun";
import type { Parser } from "../../shared/parse.ts";

export type Fragment = SQL.Query<unknown>;

/**
 * The SQL that goes in is understood by SQLite and Postgres alike. Never call one method inside the
 * work of another: on SQLite it would wait for itself. Postgres may run a write again after a
 * conflict, so its work keeps no state outside.
 */
export interface Database {
  /** Runs short queries on one snapshot of the data: SQLite keeps the thread until they end. */
  read<T>(work: (sql: SQL) => Promise<T>): Promise<T>;
  /** As `read`, for what grows with the register: in a thread on SQLite. @throws {UnavailableError} */
  readMany<Input, Result>(job: Job<Input, Result>, input: NoInfer<Input>): Promise<Result>;
  /** As `read`, on a connection of its own and without a time limit. */
  snapshot<T>(work: (sql: SQL) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction. @throws {UnavailableError} When writers keep it 15 s. */
  write<T>(work: (sql: SQL) => Promise<T>): Promise<T>;
  /** As `write`, for thousands of rows, in a thread on SQLite. Others wait up to a minute. */
  writeMany<Input, Result>(job: Job<Input, Result>, input: NoInfer<Input>): Promise<Result>;
  /** As `write`, while no other instance does the same: for changes of the schema. */
  migrate<T>(work: (sql: SQL) => Promise<T>): Promise<T>;
  /** Copies it to a file beside it, named after its next schema, and keeps two. Null on Postgres: no copy. */
  copyBefore(schema: number): Promise<string | null>;
  readonly place: string;
  /** Waits for running work and closes all connections. May be called again. */
  close(): Promise<void>;
}

/**
 * Work for `readMany` or `writeMany`, in the list of `database-worker.ts`, which finds it by
 * `name`. Input and result survive structured cloning. A `RequestError` keeps its members, but not its
 * class; of any other error, only `name`, `message` and an SQLite code are left.
 */
export interface Job<Input, Result> {
  readonly name: string;
  /** Another job of the list, and its input, that `run` begins with. */
  readonly first?: { readonly name: string; readonly input: unknown };
  run(sql: SQL, input: Input): Promise<Result>;
}

export function runAfter<Given, Input, Result>(
  first: Job<Given, void>,
  given: Given,
  { name, run }: Job<Input, Result>,
): Job<Input, Result> {
  return {
    name,
    first: { name: first.name, input: given },
    async run(sql, input) {
      await first.run(sql, given);
      return run(sql, input);
    },
  };
}

/** One step of the schema forward. Both databases understand its `statements`. */
export interface Migration {
  version: number;
  name: string;
  statements: readonly string[];
  /** Statements for one of the two alone, which run last. */
  sqlite?: readonly string[];
  postgres?: readonly string[];
  /** What SQL alone cannot do with existing rows; runs last. */
  run?: (sql: SQL) => Promise<void>;
}

export async function readColumn<T extends string | number | null = string>(
  query: SQL.Query<[T][]>,
): Promise<T[]> {
  return (await query.values()).map(([value]) => value);
}

/** Counts rows: `from` is what stands behind `from`. */
export async function countRows(sql: SQL, from: Fragment): Promise<number> {
  const [rows = 0] = await readColumn<number>(sql`select cast(count(*) as integer) from ${from}`);
  return rows;
}

/** Whether a query finds rows, or its `returning` names some that it has written. */
export async function hasRows(query: SQL.Query<[string][]>): Promise<boolean> {
  return (await readColumn(query)).length > 0;
}

/** Parses stored JSON; null for none, and for what this version cannot read. */
export function parseStored<T>(json: string | null, parse: Parser<T>): T | null {
  if (json === null) return null;
  try {
    return parse(JSON.parse(json));
  } catch {
    return null;
  }
}

type TransactionKind = "read" | "read-many" | "snapshot" | "write" | "write-many";

/** The same database with `around` about each transaction; it has to start it. */
export function wrapDatabase(
  database: Database,
  around: <T>(start: () => Promise<T>, kind: TransactionKind) => Promise<T>,
): Database {
  return {
    ...database,
    read: (work) => around(() => database.read(work), "read"),
    readMany: (job, input) => around(() => database.readMany(job, input), "read-many"),
    snapshot: (work) => around(() => database.snapshot(work), "snapshot"),
    write: (work) => around(() => database.write(work), "write"),
    writeMany: (job, input) => around(() => database.writeMany(job, input), "write-many"),
  };
}

export function isPostgres(sql: SQL): boolean {
  return sql.options.adapter === "postgres";
}

/** Milliseconds after which work on Postgres is given up, its wait for a connection included. */
export interface Timeouts {
  readMs: number;
  writeMs: number;
  bulkMs: number;
}

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
