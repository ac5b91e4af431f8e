export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

interface ForwardOptions {
  prefix?: Uint8Array;
  pending?: ReturnType<BodyReader["read"]>;
  beforeRead?: () => void;
  onChunk?: (chunk: Uint8Array) => void;
  /** Called once when the source breaks; not when the receiver leaves. */
  onError?: (error: unknown) => void;
  /** Called once when nothing more will be sent, for whatever reason. */
  onEnd?: () => void;
}

/** Pipes a body chunk by chunk as it is asked for, so that a slow receiver slows the sender down. */
export function forwardBody(
  reader: BodyReader,
  { prefix, pending, beforeRead, onChunk, onError, onEnd }: ForwardOptions,
): ReadableStream<Uint8Array> {
  let begun = pending;
  let cancelled = false;
  return new ReadableStream({
    start(controller) {
      if (prefix) controller.enqueue(prefix);
    },
    async pull(controller) {
      try {
        beforeRead?.();
        const read = begun ?? reader.read();
        begun = undefined;
        const { done, value } = await read;
        if (cancelled) return;
        if (done) {
          controller.close();
          onEnd?.();
        } else {
          onChunk?.(value);
          controller.enqueue(value);
        }
      } catch (error) {
        if (cancelled) return;
        onError?.(error);
        onEnd?.();
        controller.error(error);
      }
    },
    cancel(reason) {
      cancelled = true;
      onEnd?.();
      return reader.cancel(reason);
    },
  });
}
