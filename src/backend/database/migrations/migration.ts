/** One step forward; there is none back. SQLite and Postgres both understand its statements. */
export interface Migration {
  version: number;
  name: string;
  statements: readonly string[];
  /** Statements for one of the two alone, which run after the others. */
  sqlite?: readonly string[];
  postgres?: readonly string[];
}
