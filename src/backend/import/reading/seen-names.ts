/**
 * The names of a file so far, each with the line where it first stood. It keeps a 64-bit hash and a
 * line, 12 bytes for a slot and about 24 for a name, so that half a million names fit in 12 MB. The
 * seed is drawn anew for each file: nobody can prepare names that collide.
 */
export class SeenNames {
  readonly #seed = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
  #size = 0;
  #capacity = 1024;
  #high = new Uint32Array(this.#capacity);
  #low = new Uint32Array(this.#capacity);
  /** 0: the slot is free. */
  #lines = new Uint32Array(this.#capacity);

  /** Notes a name; returns the line where it stood before, or null where it is new. */
  add(name: string, line: number): number | null {
    const hash = Bun.hash.wyhash(name, this.#seed);
    const high = Number(hash >> 32n);
    const low = Number(hash & 0xffffffffn);
    const slot = this.#find(high, low);
    const before = this.#lines[slot] ?? 0;
    if (before !== 0) return before;
    this.#put(slot, high, low, line);
    this.#size += 1;
    if (this.#size * 2 > this.#capacity) this.#grow();
    return null;
  }

  /** The slot of a hash, or the free one where it belongs. */
  #find(high: number, low: number): number {
    const mask = this.#capacity - 1;
    let slot = low & mask;
    while (this.#lines[slot] !== 0 && (this.#low[slot] !== low || this.#high[slot] !== high)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #put(slot: number, high: number, low: number, line: number): void {
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#lines[slot] = line;
  }

  #grow(): void {
    const [high, low, lines] = [this.#high, this.#low, this.#lines];
    this.#capacity *= 2;
    this.#high = new Uint32Array(this.#capacity);
    this.#low = new Uint32Array(this.#capacity);
    this.#lines = new Uint32Array(this.#capacity);
    for (const [index, line] of lines.entries()) {
      if (line === 0) continue;
      const [a = 0, b = 0] = [high[index], low[index]];
      this.#put(this.#find(a, b), a, b, line);
    }
  }
}
