/** One step forward; there is none back. Its statements are understood by SQLite and Postgres. */
export interface Migration {
  version: number;
  name: string;
  statements: readonly string[];
  /** What only one of them runs after that. */
  sqlite?: readonly string[];
  postgres?: readonly string[];
}
