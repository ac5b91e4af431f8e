interface Limits {
  /** Bytes that all requests together may hold. */
  most: number;
  /** Bytes that one may hold, however long it is: what is passed on is never held whole. */
  each: number;
}

/**
 * Bounds what the bodies of requests in flight hold in memory, together. A body of unknown length
 * counts as the longest.
 */
export class UploadBudget {
  readonly #limits: Limits;
  #taken = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Takes what a request may need.
   *
   * @returns Gives it back, once; null where there is not enough left.
   */
  take(headers: Headers): (() => void) | null {
    const { most, each } = this.#limits;
    const length = headers.get("content-length");
    const chunked = headers.has("transfer-encoding");
    const need = Math.min(chunked ? each : Number(length ?? 0), each);
    // One alone is always let in: a limit below a single body would refuse it for ever.
    if (this.#taken > 0 && this.#taken + need > most) return null;
    this.#taken += need;
    let held = need;
    return () => {
      this.#taken -= held;
      held = 0;
    };
  }
}
