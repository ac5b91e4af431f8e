import { passOn } from "./proxy/pass-on.ts";

/**
 * What lasts for as long as both sides like: WebSockets and event streams. None of them would end on
 * its own when the server does.
 */
export class LongLived {
  readonly #ends = new Set<() => void>();
  #over = false;

  /**
   * Takes one in; one that comes after the end is ended at once.
   *
   * @returns To be called when it has ended otherwise.
   */
  add(end: () => void): () => void {
    if (this.#over) end();
    else this.#ends.add(end);
    return () => void this.#ends.delete(end);
  }

  /** The same event stream, which ends as if its source had. */
  addStream(events: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = events.getReader();
    // What waits for an event then hears that there is no more.
    const forget = this.add(() => void reader.cancel().catch(() => undefined));
    return passOn(reader, { ended: forget });
  }

  /** Ends all of them, and whatever is still to come. */
  endAll() {
    this.#over = true;
    for (const end of this.#ends) end();
    this.#ends.clear();
  }
}
