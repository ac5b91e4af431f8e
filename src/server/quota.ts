interface QuotaLimits {
  /** For everybody together. */
  max: number;
  maxPerAddress: number;
}

/** What one request or connection has taken of a quota. */
export interface Share {
  /** Takes more; false, and nothing taken, where a limit would be exceeded. */
  take(amount: number): boolean;
  /** Gives everything back; may be called again. */
  release(): void;
}

/** Limits what clients occupy at the same time: each address by itself, and all of them together. */
export class Quota {
  readonly #limits: QuotaLimits;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(limits: QuotaLimits) {
    this.#limits = limits;
  }

  /** A share of an address, still empty. */
  open(address: string): Share {
    let own = 0;
    return {
      take: (amount) => {
        const ofAddress = (this.#taken.get(address) ?? 0) + amount;
        const { max, maxPerAddress } = this.#limits;
        if (this.#total + amount > max || ofAddress > maxPerAddress) return false;
        this.#taken.set(address, ofAddress);
        this.#total += amount;
        own += amount;
        return true;
      },
      release: () => {
        const left = (this.#taken.get(address) ?? 0) - own;
        if (left > 0) this.#taken.set(address, left);
        else this.#taken.delete(address);
        this.#total -= own;
        own = 0;
      },
    };
  }
}
