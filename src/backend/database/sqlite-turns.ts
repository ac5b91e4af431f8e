import type { SQL } from "bun";
import { open } from "node:fs/promises";
import { createCheckpointer } from "./checkpointer.ts";
import { UnavailableError } from "./database-error.ts";
import type { Database, ManyWork } from "./database.ts";
import { runAll } from "./run-all.ts";
import { shareSqliteThread, type SqliteThread } from "./sqlite-thread.ts";
import { createStatementQueue } from "./statement-queue.ts";
import { statement, type Statement } from "./statement.ts";

/** Statements that the thread has at hand, so that it need not wait while the next ones are made. */
const WAITING = 4;

/** Rows that are written before others may have their turn: some ten milliseconds. */
const SIZE = 500;

/** Connections to one SQLite file, and what one on a thread of its own is prepared with. */
export interface SqliteConnections {
  reader: SQL;
  writer: SQL;
  threadPragmas: readonly string[];
}

/**
 * One connection has no isolation between callers, so each has a queue. Two connections, because
 * the log lets readers see what was there before while a write is under way. Thousands of rows are
 * written by a third one, on a thread of its own, which takes turns with the one that writes.
 */
export function takeTurnsOn(file: string, connections: SqliteConnections): Database {
  const { reader, writer, threadPragmas } = connections;
  const reads = createStatementQueue();
  const writes = createStatementQueue();
  const threads = shareSqliteThread(file, threadPragmas);
  const checkpointer = createCheckpointer(file, writes.run);
  const writing = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;

  const consider = () => checkpointer.consider(writing.size > 0);

  const write = <T>(work: (sql: SQL) => Promise<T>) =>
    writes.run(async () => {
      const result = await writer.begin("immediate", work);
      consider();
      return result;
    });

  /** Waits for a turn to write, which lasts until what it resolves to is called. */
  function takeTurn(): Promise<() => void> {
    const { promise: begun, resolve: begin } = Promise.withResolvers<() => void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    void writes.run(() => {
      begin(end);
      return ended;
    });
    return begun;
  }

  function stopWhenClosing(): void {
    if (closing !== null) throw new UnavailableError("The database is being closed");
  }

  async function transact<T>(thread: SqliteThread, work: ManyWork<T>): Promise<T> {
    let endTurn = await takeTurn();
    const pause = {
      wanted: () => closing !== null || writes.waiting() > 0,
      async make() {
        await thread.run(statement`commit`);
        stopWhenClosing();
        endTurn();
        endTurn = await takeTurn();
        await thread.run(statement`begin immediate`);
      },
    };
    try {
      await thread.run(statement`begin immediate`);
      // Nobody else can write by now, so what this connection reads is what the thread has.
      const result = await runAll(work(writer, SIZE), thread.run, { waiting: WAITING, pause });
      await thread.run(statement`commit`);
      return result;
    } catch (error) {
      // Before anybody else writes: what it has begun is undone.
      await thread.undo();
      throw error;
    } finally {
      endTurn();
    }
  }

  async function runAlone(thread: SqliteThread, each: Statement): Promise<void> {
    stopWhenClosing();
    try {
      await thread.run(each);
    } catch (error) {
      await thread.undo();
      throw error;
    }
  }

  /** Lends the thread, and waits for the disk when all is written and others can write again. */
  async function lend<T>(work: (thread: SqliteThread) => Promise<T>): Promise<T> {
    const result = await threads.lend(work);
    await flush(`${file}-wal`);
    return result;
  }

  async function onThread<T>(work: (thread: SqliteThread) => Promise<T>): Promise<T> {
    stopWhenClosing();
    const lent = lend(work);
    writing.add(lent);
    return lent.finally(() => {
      writing.delete(lent);
      if (closing === null) consider();
    });
  }

  async function shut() {
    await Promise.allSettled(writing);
    await reads.run(() => reader.close());
    await checkpointer.stop();
    await writes.run(() => writer`pragma wal_checkpoint(truncate)`).catch(() => undefined);
    await writer.close();
  }

  return {
    place: file,
    read: (work) => reads.run(() => reader.begin("deferred", work)),
    write,
    run: ({ texts, values }) =>
      write(async (sql) => void (await sql.unsafe(texts.join("?"), [...values]))),
    runEach: (work) =>
      onThread((thread) => runAll(work, (each) => writes.run(() => runAlone(thread, each)))),
    writeMany: (work) => onThread((thread) => transact(thread, work)),
    restructure: write,
    close: () => (closing ??= shut()),
  };
}

/** Waits until what was written to the log is on disk; one that is folded in already is. */
async function flush(log: string): Promise<void> {
  const file = await open(log, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  try {
    await file?.sync();
  } finally {
    await file?.close();
  }
}
