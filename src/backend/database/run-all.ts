import type { Statement } from "./statement.ts";

/** What work yields where it may be interrupted. */
export const PAUSE = Symbol("pause");

/** Work that yields what is to be written. After a `PAUSE` it is told whether one was made. */
export type Work<T> = AsyncGenerator<Statement | typeof PAUSE, T, boolean>;

/** A part of such work, which is never interrupted. */
export type Statements<T> = AsyncGenerator<Statement, T, unknown>;

/** Interrupts work, where that is wanted, when all that it has yielded is done. */
export interface Pause {
  wanted(): boolean;
  make(): Promise<void>;
}

/**
 * Runs what `work` yields in that order, and returns what `work` does; meanwhile `work` makes the
 * next ones. `waiting` statements at most are handed over that are not done: with more than one, `run`
 * has to keep their order. Rejects with the first failure of a statement, which ends `work` too: what
 * that or later statements then met with only follows from it.
 */
export async function runAll<T>(
  work: Work<T>,
  run: (statement: Statement) => Promise<unknown>,
  { waiting = 1, pause }: { waiting?: number; pause?: Pause } = {},
): Promise<T> {
  const running: Promise<unknown>[] = [];
  const settle = async (left: number) => {
    while (running.length > left) {
      await running[0];
      running.shift();
    }
  };
  let paused = false;
  try {
    for (;;) {
      const { value, done } = await work.next(paused);
      if (done === true) {
        await settle(0);
        return value;
      }
      paused = value === PAUSE && pause?.wanted() === true;
      if (paused) {
        await settle(0);
        await pause?.make();
      } else if (value !== PAUSE) {
        await settle(waiting - 1);
        const started = run(value);
        started.catch(() => undefined);
        running.push(started);
      }
    }
  } catch (error) {
    await work.throw(error).catch(() => undefined);
    for (const each of running) await each;
    throw error;
  }
}
