import { test as bunTest } from "bun:test";

type Bare = () => Promise<void> | void;

/**
 * Bun's `test`, or another such, whose tests may take what `start` starts as an argument; it ends with its
 * test. For a test without an argument nothing is started.
 */
export function testWith<T extends AsyncDisposable>(
  start: () => Promise<T>,
  register: (name: string, work: Bare, timeout?: number) => void = bunTest,
) {
  type Work = Bare | ((started: T) => Promise<void> | void);
  const isBare = (work: Work): work is Bare => work.length === 0;
  return (name: string, work: Work, timeout?: number) => {
    const run = async () => {
      if (isBare(work)) return work();
      await using started = await start();
      await work(started);
    };
    register(name, run, timeout);
  };
}
