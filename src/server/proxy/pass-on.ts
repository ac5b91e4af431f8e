/** What a body is read through. */
export interface Reader {
  read(): Promise<{ done: true; value?: undefined } | { done: false; value: Uint8Array }>;
  cancel(reason?: unknown): Promise<void>;
}

interface Observer {
  /** Called before each wait for a chunk. */
  before?: () => void;
  /** Called after each wait, however it ended. */
  after?: () => void;
  /** Called once when the source breaks; never when the receiver leaves. */
  failed?: (error: unknown) => void;
  /** Called with each chunk that is passed on. */
  passed?: (chunk: Uint8Array) => void;
  /** Called once when nothing more will be passed on, whoever ended it. */
  ended?: () => void;
}

/**
 * Passes a body on, chunk by chunk as it is asked for, so that a slow receiver slows the sender down.
 *
 * @param first A chunk that was read already.
 */
export function passOn(
  reader: Reader,
  observer: Observer,
  first?: Uint8Array,
): ReadableStream<Uint8Array> {
  let left = false;
  return new ReadableStream({
    start(controller) {
      if (first) controller.enqueue(first);
    },
    async pull(controller) {
      try {
        const { done, value } = await readChunk(reader, observer);
        if (left) return;
        if (done) {
          controller.close();
          observer.ended?.();
        } else {
          controller.enqueue(value);
          observer.passed?.(value);
        }
      } catch (error) {
        if (left) return;
        observer.failed?.(error);
        observer.ended?.();
        controller.error(error);
      }
    },
    cancel(reason) {
      left = true;
      observer.ended?.();
      return reader.cancel(reason);
    },
  });
}

/** Waits for one chunk, under observation. */
export async function readChunk(reader: Reader, { before, after }: Observer) {
  before?.();
  try {
    return await reader.read();
  } finally {
    after?.();
  }
}
