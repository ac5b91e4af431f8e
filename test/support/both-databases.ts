import { AsyncLocalStorage } from "node:async_hooks";
import { test as bunTest } from "bun:test";
import { hasPostgres, warmUpPostgres } from "./postgres.ts";

export type DatabaseKind = "sqlite" | "postgres";

await warmUpPostgres();

const current = new AsyncLocalStorage<DatabaseKind>();

/**
 * The database of the test that is running; `startBackend` obeys it. `TEST_DATABASE=postgres` also takes
 * the tests there that run once: but for those which look into a file.
 */
export function databaseKind(): DatabaseKind {
  return (
    current.getStore() ?? (process.env["TEST_DATABASE"] === "postgres" ? "postgres" : "sqlite")
  );
}

type Work<Row extends readonly unknown[]> = (...row: Row) => Promise<void> | void;
type Register<Row extends readonly unknown[]> = (
  name: string,
  work: Work<Row>,
  timeout?: number,
) => void;

function both(name: string, work: Work<[]>, timeout?: number): void {
  bunTest(name, () => current.run("sqlite", work), timeout);
  bunTest.skipIf(!hasPostgres)(`${name} (Postgres)`, () => current.run("postgres", work), timeout);
}

/** One test for each row; a row that is a list holds the arguments, any other is the argument. */
function each<Row extends Readonly<[unknown, ...unknown[]]>>(rows: readonly Row[]): Register<Row>;
function each<const Row>(rows: readonly Row[]): Register<[Row]>;
function each(rows: readonly unknown[]): Register<unknown[]> {
  return (name, work, timeout) => {
    const sqlite = (...row: unknown[]) => current.run("sqlite", work, ...row);
    const postgres = (...row: unknown[]) => current.run("postgres", work, ...row);
    bunTest.each([...rows])(name, sqlite, timeout);
    bunTest.skipIf(!hasPostgres).each([...rows])(`${name} (Postgres)`, postgres, timeout);
  };
}

/**
 * Bun's `test` for what is of SQLite, or of one process, alone: a file, its key beside it, its triggers, this
 * machine's clock. Skipped where `TEST_DATABASE` takes the others to Postgres.
 */
export const onSqlite = bunTest.skipIf(process.env["TEST_DATABASE"] === "postgres");

/** Bun's `test`, run once on SQLite and once on Postgres. */
export const test = Object.assign(both, { each });
