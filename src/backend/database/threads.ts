import { SQL } from "bun";
import { once } from "node:events";
import { UnavailableError } from "./database-error.ts";
import type { Job } from "./database.ts";

/** `build-executable.ts` adds it under this path, which the bundler does not follow. */
const PROGRAM = Bun.isStandaloneExecutable
  ? "./src/backend/database-worker.ts"
  : new URL("../database-worker.ts", import.meta.url).href;

/** How long a thread waits for another job before it ends, and its memory with it. */
const IDLE_MS = 15_000;

/** A job for a thread: it opens `file` and runs the job of this name in one transaction. */
export interface WorkerOrder {
  file: string;
  kind: "read" | "write";
  name: string;
  input: unknown;
  first: Job<never, unknown>["first"];
}

/**
 * What a thread says: that it is ready, then how its job ended. A `refusal` is an error with all of its
 * members, which leaves the thread sound; `code` is of SQLite's errors.
 */
export type WorkerReply =
  | { ready: true }
  | { result: unknown }
  | { refusal: object }
  | {
      error: Pick<Error, "name" | "message" | "stack">;
      code: { code: string; errno: number } | null;
    };

/** TypeScript's declaration is a browser's, which has neither of the two. */
type BunWorker = Worker & Pick<Bun.Worker, "ref" | "unref">;

/** A thread that has loaded. It runs one job at a time. */
export interface Thread {
  /** Resolves once the job is done, or committed where it writes. */
  run<Input, Result>(
    job: Job<Input, Result>,
    order: Omit<WorkerOrder, "name" | "first"> & { input: Input },
  ): Promise<Result>;
}

/** Threads without a job, the last used at the end, with the timers that end them. */
const idle = new Map<BunWorker, Timer>();

/** The file that a thread which has read keeps open. */
const open = new WeakMap<BunWorker, string>();

/** Runs `work` with a thread. One in which a job fails is ended. */
export async function withThread<T>(work: (thread: Thread) => Promise<T>): Promise<T> {
  const worker = takeIdle() ?? (await startWorker());
  let isSound = false;
  try {
    return await work({
      async run({ name, first }, order) {
        if (order.kind === "read") open.set(worker, order.file);
        worker.postMessage({ ...order, name, first } satisfies WorkerOrder, []);
        const reply = await nextReply(worker);
        isSound = true;
        if ("refusal" in reply) throw Object.assign(new Error(), reply.refusal);
        // True because the worker ran the job of this name, whose result this is.
        return ("result" in reply ? reply.result : null) as never;
      },
    });
  } finally {
    if (isSound) {
      idle.set(worker, setTimeout(() => endIdle(worker), IDLE_MS).unref());
      worker.unref();
    } else worker.terminate();
  }
}

export async function endIdleThreads(file: string): Promise<void> {
  const threads = [...idle.keys()].filter((worker) => open.get(worker) === file);
  await Promise.all(threads.map(endIdle));
}

function forgetIdle(worker: BunWorker): void {
  clearTimeout(idle.get(worker));
  idle.delete(worker);
}

async function endIdle(worker: BunWorker): Promise<void> {
  forgetIdle(worker);
  const closed = once(worker, "close");
  worker.terminate();
  await closed;
}

/** Loading a worker takes longer than most jobs, and they come in rows. */
function takeIdle(): BunWorker | undefined {
  const worker = [...idle.keys()].at(-1);
  if (worker === undefined) return undefined;
  forgetIdle(worker);
  worker.ref();
  return worker;
}

async function startWorker(): Promise<BunWorker> {
  // True, as this is Bun.
  const worker = new Worker(PROGRAM) as BunWorker;
  worker.addEventListener("close", () => forgetIdle(worker));
  await nextReply(worker);
  return worker;
}

/** What a worker says next; rejects with its error. */
function nextReply(worker: Worker): Promise<WorkerReply> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerReply>();
  const listening = new AbortController();
  const { signal } = listening;
  const onReply = ({ data }: MessageEvent<WorkerReply>) => {
    if (!("error" in data)) return resolve(data);
    const { error, code } = data;
    const failure = code === null ? new Error() : new SQL.SQLiteError(error.message, code);
    reject(Object.assign(failure, error));
  };
  const onClose = () => reject(new UnavailableError("lost the thread that was answering"));
  worker.addEventListener("message", onReply, { signal });
  worker.addEventListener("error", ({ message }) => reject(new Error(message)), { signal });
  worker.addEventListener("close", onClose, { signal });
  return promise.finally(() => listening.abort());
}
