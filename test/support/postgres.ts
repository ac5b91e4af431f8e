import { SQL } from "bun";
import { migrate } from "../../src/backend/database/migrate.ts";
import { UnavailableError } from "../../src/backend/database/database-error.ts";
import { type Database, wrapDatabase } from "../../src/backend/database/database.ts";
import { openDatabase } from "../../src/backend/database/open-database.ts";
import { findPostgres, startCluster, type PostgresCluster } from "./postgres-cluster.ts";

/** The cluster of the whole run, which `test/run.ts` has started. */
const SHARED = process.env["TEST_POSTGRES_URL"];

const programs = findPostgres();
let cluster: Promise<Pick<PostgresCluster, "urlOf">> | null = null;
let databaseCount = 0;

/** A database with the schema of the backend, and a connection for what a test prepares in it. */
interface Prepared {
  url: string;
  /** Stays open from test to test: each connection is a process that has to be started. */
  database: Database;
  /** Those of the backends of a test, which stay open, too. */
  pools: Database[];
  tables: readonly string[];
}

/** Those that nobody uses at this moment. */
const free: Prepared[] = [];

/**
 * Whether the tests of Postgres can run. Without it they are skipped, which one line says; where
 * `CI` is set that is not good enough.
 */
export const hasPostgres = programs !== null;
if (!hasPostgres && process.env["CI"]) throw new Error("Postgres is not installed");
if (!hasPostgres) console.warn("Postgres is not installed: its tests are skipped");

/**
 * The cluster that all tests share: that of the run, or one that ends with this process where a file
 * is run alone.
 */
export function postgresCluster(): Promise<Pick<PostgresCluster, "urlOf">> {
  cluster ??=
    SHARED === undefined ? ownCluster() : Promise.resolve({ urlOf: withDatabase(SHARED) });
  return cluster;
}

function withDatabase(url: string): (database: string) => string {
  return (database) => Object.assign(new URL(url), { pathname: database }).href;
}

/** A cluster of a test's own, which may crash. */
export function ownCluster(): Promise<PostgresCluster> {
  if (programs === null) throw new Error("Postgres is not installed");
  return startCluster(programs);
}

/** An empty database without any table, or a copy of the one at `template`, to which nothing is connected. */
export async function emptyPostgres(template?: string) {
  const url = await createPostgresIn(await postgresCluster(), template);
  return { url, [Symbol.asyncDispose]: () => dropDatabase(url) };
}

/** A database that has the schema of the backend and nothing in it; it is used again once it is given back. */
export async function preparedPostgres() {
  const found = free.pop() ?? (await prepare());
  const { url, database, pools } = found;
  let opened = 0;
  return {
    url,
    database,
    /** Connections for one more backend; they are closed for it alone. */
    async open() {
      const pool = (pools[opened++] ??= await openDatabase(url));
      return lend(pool);
    },
    /** The statements that put what is in the tables now into empty ones, past their triggers. */
    dump: () => dumpTables(found),
    [Symbol.asyncDispose]: () => giveBack(found),
  };
}

/** A database whose end leaves its connections open, once what runs on them has ended. */
function lend(database: Database): Database {
  const running = new Set<Promise<unknown>>();
  let isOpen = true;
  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (!isOpen) throw new UnavailableError("is closed");
    const working = work();
    running.add(working);
    return working.finally(() => running.delete(working));
  }
  return {
    ...wrapDatabase(database, run),
    migrate: (work) => run(() => database.migrate(work)),
    async close() {
      isOpen = false;
      await Promise.allSettled(running);
    },
  };
}

/** Starts the cluster and makes a first database, so that no test pays for it with its own time. */
export async function warmUpPostgres(): Promise<void> {
  if (programs !== null && cluster === null) free.push(await prepare());
}

async function prepare(): Promise<Prepared> {
  const url = await createPostgresIn(await postgresCluster());
  const database = await openDatabase(url);
  await migrate(database);
  const tables = await database.read(
    (sql) => sql<{ name: string }[]>`
      select tablename as name from pg_tables
      where schemaname = 'public' and tablename <> 'schema_migrations'`,
  );
  return { url, database, pools: [], tables: tables.map(({ name }) => name) };
}

async function dumpTables({ database, tables }: Prepared): Promise<string> {
  const statements = ["set local session_replication_role = replica"];
  for (const name of tables) {
    const [found] = await database.read(
      (sql) => sql<{ rows: string | null }[]>`
        select cast(json_agg(each) as text) as rows from ${sql(name)} each`,
    );
    const rows = found?.rows?.replaceAll("'", "''");
    if (rows !== undefined) {
      const from = `json_populate_recordset(null::"${name}", '${rows}')`;
      statements.push(`insert into "${name}" select * from ${from}`);
    }
  }
  return statements.join(";");
}

/** Empties every table; a database that a test has broken is thrown away. */
async function giveBack(prepared: Prepared): Promise<void> {
  const { url, database, pools, tables } = prepared;
  try {
    await database.write(async (sql) => {
      // Without it the order of the tables would matter.
      await sql`set local session_replication_role = replica`;
      await sql.unsafe(tables.map((name) => `delete from "${name}"`).join(";"));
    });
    free.push(prepared);
  } catch {
    for (const each of [database, ...pools]) await each.close();
    await dropDatabase(url);
  }
}

/** A database without any table in a cluster, or a copy of another, which goes with its cluster. */
export async function createPostgresIn(
  { urlOf }: Pick<PostgresCluster, "urlOf">,
  template?: string,
): Promise<string> {
  const name = `register_${process.pid}_${(databaseCount += 1)}`;
  const from = template === undefined ? "" : ` template ${nameIn(template)}`;
  await administer(urlOf("postgres"), `create database ${name}${from}`);
  // Few connections, as each is a process that has to be started.
  return `${urlOf(name)}?max=3`;
}

async function dropDatabase(url: string): Promise<void> {
  const { urlOf } = await postgresCluster();
  await administer(urlOf("postgres"), `drop database ${nameIn(url)} with (force)`);
}

function nameIn(url: string): string {
  return new URL(url).pathname.slice(1);
}

async function administer(url: string, statement: string): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe(statement).finally(() => sql.close());
}
