import { passOn, type Reader } from "./pass-on.ts";

/** Milliseconds that a backend's first event is waited for before a comment goes ahead of it. */
const FIRST_EVENT = 50;

/** A line that means nothing to a reader of events: HTML, server-sent events, §9.2.6. */
const COMMENT = new TextEncoder().encode(":\n\n");

export function isEventStream(headers: Headers): boolean {
  return headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;
}

/**
 * Passes events on as they come, however long the backend is silent between them. Bun holds an
 * answer's head back until the first byte of its body: where the backend has none yet, a comment makes
 * the browser see that the stream is open. What is compressed has to be waited for.
 *
 * @throws What the reader does, when the backend fails at once.
 */
export async function passEventsOn(
  reader: Reader,
  headers: Headers,
  failed: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  if (headers.has("content-encoding")) return passOn(reader, { failed });
  let pending: ReturnType<Reader["read"]> | undefined = reader.read();
  // Whoever waits for it later hears of its failure.
  pending.catch(() => undefined);
  const early = await Promise.race([pending, Bun.sleep(FIRST_EVENT)]);
  const events: Reader = {
    read() {
      const next = pending ?? reader.read();
      pending = undefined;
      return next;
    },
    cancel: (reason) => reader.cancel(reason),
  };
  return early ? passOn(events, { failed }) : passOn(events, { failed }, COMMENT);
}
