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
   * @param taken Called with each part of the content, which shares the bytes' memory.
   * @returns How many bytes belonged to the content: fewer than came only where it is complete.
   * @throws {ProtocolError}
   */
  take(bytes: Bytes, taken: (part: Bytes) => void): number {
    let at = 0;
    while (at < bytes.length && !this.complete) {
      if (this.#expected === "data") {
        const part = bytes.subarray(at, at + this.#missing);
        at += part.length;
        this.#missing -= part.length;
        if (this.#missing === 0) this.#expected = "end of data";
        taken(part);
      } else {
        const feed = bytes.indexOf(LINE_FEED, at);
        const end = feed < 0 ? bytes.length : feed + 1;
        this.#line += bytes.toString("latin1", at, end);
        if (this.#line.length + this.#trailers > LONGEST)
          throw new ProtocolError("Too long a line.");
        at = end;
        if (feed >= 0) this.#read();
      }
    }
    return at;
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

const LINE_FEED = 10;
