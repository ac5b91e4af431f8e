import { forwardBody } from "./forward-body.ts";

/** WebSockets and event streams: connections that would not end by themselves when the server does. */
export class OpenConnections {
  readonly #closers = new Set<() => void>();
  #closed = false;

  /** Adds a connection; after `closeAll`, closes it at once. @returns Call it when it has ended. */
  add(close: () => void): () => void {
    if (this.#closed) close();
    else this.#closers.add(close);
    return () => void this.#closers.delete(close);
  }

  /** Adds an event stream. When it is closed, its reader sees an ordinary end. */
  addStream(events: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = events.getReader();
    const remove = this.add(() => void reader.cancel().catch(() => undefined));
    return forwardBody(reader, { onEnd: remove });
  }

  closeAll() {
    this.#closed = true;
    for (const close of this.#closers) close();
    this.#closers.clear();
  }
}

export function isEventStream(headers: Headers): boolean {
  return headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;
}
