import type { SQL } from "bun";
import type { Statements, Work } from "./run-all.ts";
import type { Statement } from "./statement.ts";

/**
 * Work that writes thousands of rows: see `Database.writeMany`. `size` is of how many rows it should
 * do something at a time.
 */
export type ManyWork<T> = (sql: SQL, size: number) => Work<T>;

/**
 * What the rest of the backend sees of its database. The SQL that goes in is understood by SQLite
 * and Postgres alike. Never call one of these from inside the work of another: on SQLite it would
 * wait for itself. Work may be run again from its start where another writer was in its way, so it
 * keeps nothing outside but what it returns.
 */
export interface Database {
  /** Runs statements that belong together and change nothing, all on the same state of the data. */
  read<T>(work: (sql: SQL) => Promise<T>): Promise<T>;
  /**
   * Runs statements as one transaction, on disk when it resolves, undone when `work` rejects. Other
   * writers may have to wait for it, readers never do: long work takes short statements and awaits
   * `takeTurns` between them.
   */
  write<T>(work: (sql: SQL) => Promise<T>): Promise<T>;
  /** As `write`, with one statement. */
  run(statement: Statement): Promise<void>;
  /** As `run`, with each statement that `work` yields, while `work` goes on; none undoes another. */
  runEach<T>(work: Statements<T>): Promise<T>;
  /**
   * As `write`, for thousands of rows: `work` reads what is there and yields what is to be written,
   * which runs in that order while `work` goes on. It may or may not see any of that when it reads,
   * and writes nothing by itself. On SQLite the statements run on a thread of their own, so that they
   * keep nobody but other writers waiting, however long each of them takes.
   *
   * Where `work` yields `PAUSE` and others wait for their turn to write on SQLite, the transaction
   * ends there, and another one begins when they have written, unless the database closes: everybody
   * sees what is there by then, and whoever comes later has to finish, or take back, what was written
   * if `work` fails. A transaction of Postgres keeps nobody waiting, and is never interrupted.
   */
  writeMany<T>(work: ManyWork<T>): Promise<T>;
  /** As `write`, with no other instance at it at the same time: for changes of the schema. */
  restructure<T>(work: (sql: SQL) => Promise<T>): Promise<T>;
  /** What to call it in a message: no user, no password. */
  readonly place: string;
  /** Ends what is running and lets go. May be called again. */
  close(): Promise<void>;
}
