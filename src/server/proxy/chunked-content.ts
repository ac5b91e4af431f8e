import { ProtocolError } from "./response-head.ts";
import type { Bytes } from "./upstream-connection.ts";

/** A size in hexadecimal, and extensions, which mean nothing to us. */
const SIZE = /^([\da-f]{1,12})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;

/** Bytes of a line, and of all trailers together, that are still taken for one. */
const LONGEST = 16_384;

/** Takes the chunked coding off: RFC 9112 §7.1. Extensions and trailers are dropped. */
export class ChunkedContent {
  #expected: "size" | "data" | "end of data" | "trailer" = "size";
  /** Bytes of the chunk that have not come. */
  #missing = 0;
  /** A line whose end has not come. */
  #line = "";
  #trailers = 0;
  /** The last chunk has come, and the trailers with it. */
  complete = false;

  /**
   * Moves the content of all chunks together, where there are several: a backend may send a chunk for
   * each byte.
   *
   * @param bytes Are overwritten.
   * @param taken Called with the content among them, which shares their memory, if there is any.
   * @returns How many bytes belonged to the content: fewer than came only where it is complete.
   * @throws {ProtocolError} What came before is taken all the same.
   */
  take(bytes: Bytes, taken: (content: Bytes) => void): number {
    let at = 0;
    let from = 0;
    let to = 0;
    try {
      while (at < bytes.length && !this.complete) {
        if (this.#expected !== "data") at = this.#takeLine(bytes, at);
        else {
          const end = Math.min(at + this.#missing, bytes.length);
          if (to === 0) from = to = at;
          if (to < at) bytes.copyWithin(to, at, end);
          to += end - at;
          this.#missing -= end - at;
          if (this.#missing === 0) this.#expected = "end of data";
          at = end;
        }
      }
    } finally {
      if (to > from) taken(bytes.subarray(from, to));
    }
    return at;
  }

  /** @returns Where the next one begins. */
  #takeLine(bytes: Bytes, at: number): number {
    if (this.#expected === "end of data" && this.#line === "" && isLineEnd(bytes, at)) {
      this.#expected = "size";
      return at + 2;
    }
    const feed = bytes.indexOf(LINE_FEED, at);
    const end = feed < 0 ? bytes.length : feed + 1;
    this.#line += bytes.toString("latin1", at, end);
    if (this.#line.length + this.#trailers > LONGEST) throw new ProtocolError("Too long a line.");
    if (feed >= 0) this.#read();
    return end;
  }

  /** Reads the line that has become complete. */
  #read() {
    if (!this.#line.endsWith("\r\n")) throw new ProtocolError("Expected a line to end with CRLF.");
    const line = this.#line.slice(0, -2);
    this.#line = "";
    if (this.#expected === "size") {
      const [, size] = SIZE.exec(line) ?? [];
      if (size === undefined) throw new ProtocolError("Expected the size of a chunk.");
      this.#missing = Number.parseInt(size, 16);
      this.#expected = this.#missing === 0 ? "trailer" : "data";
    } else if (this.#expected === "end of data") {
      if (line !== "") throw new ProtocolError("Expected a chunk to end where its size said.");
      this.#expected = "size";
    } else {
      this.#trailers += line.length;
      this.complete = line === "";
    }
  }
}

const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

function isLineEnd(bytes: Bytes, at: number): boolean {
  return bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED;
}
