import { afterAll, beforeAll } from "bun:test";

/** Starts something before the tests of the file or group that asks for it, and ends it after them. */
export function forAll<T extends AsyncDisposable>(start: () => T | Promise<T>): () => T {
  const stack = new AsyncDisposableStack();
  let started: T;
  beforeAll(async () => {
    started = stack.use(await start());
  });
  afterAll(() => stack.disposeAsync());
  return () => started;
}
