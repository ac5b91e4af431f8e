type AbortCause = "timeout" | "client left" | "too many bytes held";

/** One request to the backend and its response: it is aborted when the backend is silent too long. */
export class Exchange {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  /** What the backend has to send next. `fetch` shows nothing of a head before all of it is there. */
  awaited: "complete head" | "byte" = "complete head";
  cause: AbortCause | null = null;
  readonly #timeoutMs: number;
  #timer: Timer | undefined;
  #stopped = false;

  /** @param timeoutMs How long a silence may last, from `refresh` on. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  follow(client: AbortSignal) {
    if (client.aborted) this.abort("client left");
    else client.addEventListener("abort", () => this.abort("client left"));
  }

  /** Restarts the idle timer: something came, or a wait for the backend begins. */
  refresh() {
    if (this.#timer !== undefined) this.#timer.refresh();
    else if (!this.#stopped) {
      this.#timer = setTimeout(() => this.abort("timeout"), this.#timeoutMs);
    }
  }

  /** Stops the idle timer until the next `refresh`: nothing is awaited from the backend. */
  pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Stops the idle timer for good: whatever still comes may take its time. */
  stop() {
    this.#stopped = true;
    this.pause();
  }

  abort(cause: AbortCause) {
    this.stop();
    this.cause ??= cause;
    this.#controller.abort();
  }
}
