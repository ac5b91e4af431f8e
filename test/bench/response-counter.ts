const HEAD_END = Buffer.from("\r\n\r\n");
const EMPTY = Buffer.alloc(0);

/**
 * Finds where each response on one connection ends: RFC 9112 §6. It keeps no body, so that what is
 * measured is the server. A response without a length is one that it cannot follow.
 */
export class ResponseCounter {
  /** Bytes of a head, or of chunk framing, that is not complete. */
  #rest: Buffer = EMPTY;
  /** Bytes of the body, or of the chunk, that have not come yet. */
  #missing = 0;
  #chunked = false;
  #inBody = false;

  /**
   * Takes what came.
   *
   * @returns How many responses it completed.
   * @throws {Error} When a status is not 200, or the framing is none.
   */
  take(data: Buffer): number {
    let completed = 0;
    let bytes = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data]);
    this.#rest = EMPTY;
    while (bytes.length > 0) {
      if (this.#inBody && this.#missing > 0) {
        const taken = Math.min(this.#missing, bytes.length);
        this.#missing -= taken;
        bytes = bytes.subarray(taken);
      } else if (!this.#inBody) {
        const end = bytes.indexOf(HEAD_END);
        if (end < 0) return this.#wait(bytes, completed);
        this.#open(bytes.toString("latin1", 0, end + 2));
        bytes = bytes.subarray(end + HEAD_END.length);
      } else {
        const line = bytes.indexOf("\r\n", this.#chunkEnd);
        if (line < 0) return this.#wait(bytes, completed);
        const size = Number.parseInt(bytes.toString("latin1", this.#chunkEnd, line), 16);
        if (size === 0 && bytes.length < line + 4) return this.#wait(bytes, completed);
        bytes = bytes.subarray(line + (size === 0 ? 4 : 2));
        this.#chunkEnd = 2;
        this.#missing = size;
        if (size === 0) this.#chunked = false;
      }
      if (this.#inBody && this.#missing === 0 && !this.#chunked) {
        this.#inBody = false;
        completed++;
      }
    }
    return completed;
  }

  /** Where the size of the next chunk begins: behind the line break that ends the one before. */
  #chunkEnd = 0;

  #wait(bytes: Buffer, completed: number): number {
    this.#rest = Buffer.from(bytes);
    return completed;
  }

  #open(head: string) {
    if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(`Expected 200, got ${head}`);
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1];
    this.#chunked = length === undefined;
    if (this.#chunked && !/\r\ntransfer-encoding: *chunked\r\n/i.test(head))
      throw new Error(`Expected a length, got ${head}`);
    this.#missing = Number(length ?? 0);
    this.#chunkEnd = 0;
    this.#inBody = true;
  }
}
