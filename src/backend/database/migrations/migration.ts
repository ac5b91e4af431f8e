/** One step forward; there is none back. Its statements are understood by SQLite and Postgres. */
export interface Migration {
  version: number;
  name: string;
  statements: readonly string[];
  /** What only Postgres is told after that: how it should store what SQLite stores so anyway. */
  postgres?: readonly string[];
}
