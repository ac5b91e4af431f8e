import type { SQL } from "bun";

/** One step forward; there is none back. SQLite and Postgres both understand its statements. */
export interface Migration {
  version: number;
  name: string;
  statements: readonly string[];
  /** What no SQL can do; it runs after the statements. */
  run?: (sql: SQL) => Promise<void>;
  /** Statements for one of the two alone, which run last. */
  sqlite?: readonly string[];
  postgres?: readonly string[];
}
