/** Milliseconds after which it matters that a client may leave before it has its answer. */
const PATIENCE = 20;

/** Ends an exchange that has fallen silent. */
export class Watchdog {
  readonly #controller = new AbortController();
  readonly #milliseconds: number;
  #timer: Timer | undefined;
  #patience: Timer | undefined;
  #barked = false;

  /** @param seconds How long a silence may last. */
  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000;
  }

  /** Aborts when the silence has lasted too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * The same signal, which also follows the client's from a moment later on: to look at a request's
   * signal costs as much as half of passing it on, and most are answered before anyone could leave.
   */
  until(request: Request): AbortSignal {
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => {
      if (request.signal.aborted) this.#controller.abort();
      else request.signal.addEventListener("abort", () => this.#controller.abort(), { once: true });
    }, PATIENCE);
    return this.signal;
  }

  /** The whole answer is there: nothing is left to end. */
  end() {
    this.rest();
    clearTimeout(this.#patience);
  }

  /** Whether it was the silence that ended the exchange. */
  get barked(): boolean {
    return this.#barked;
  }

  /** Something came: the silence starts again. */
  reset() {
    this.rest();
    this.#timer = setTimeout(() => {
      this.#barked = true;
      this.#controller.abort();
    }, this.#milliseconds);
  }

  /** Nobody is waiting for now. */
  rest() {
    clearTimeout(this.#timer);
  }
}
