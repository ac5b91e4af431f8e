import { ChunkedContent } from "./chunked-content.ts";
import type { Bytes } from "./upstream-connection.ts";
import { parseResponseHead, ProtocolError, type ResponseHead } from "./response-head.ts";

/** Whoever wants to know what a response consists of. */
export interface ResponseReader {
  /** The head of the answer itself, once; interim ones are skipped. */
  onHead(head: ResponseHead): void;
  /** A part of the content; it shares memory with what was fed. */
  onContent(part: Bytes): void;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const NOTHING = Buffer.alloc(0);

/** What each response begins with. */
const BEGINNING = Buffer.from("HTTP/1.");

/** Bytes of a head, from which on it is none. */
const LONGEST_HEAD = 65_536;

/** Interim responses to one request, RFC 9110 §15.2, from which on nobody waits for the final one. */
const MOST_INTERIM = 20;

/** Reads one response from the bytes of a connection, in whatever pieces they come. */
export class ResponseParser {
  readonly #method: string;
  readonly #reader: ResponseReader;
  #head: ResponseHead | null = null;
  /** Bytes of a head whose end has not come. */
  #early: Bytes = NOTHING;
  #interim = 0;
  /** Bytes of content that have not come, where their number is known. */
  #missing = 0;
  #chunked: ChunkedContent | null = null;
  #complete = false;
  #excess = false;

  /** @param method Of the request: it decides whether content follows. */
  constructor(method: string, reader: ResponseReader) {
    this.#method = method;
    this.#reader = reader;
  }

  /** All of the response has come. */
  get complete(): boolean {
    return this.#complete;
  }

  /** All of it has come, and the connection can carry another one. */
  get reusable(): boolean {
    return this.#complete && !this.#excess && this.#head?.persistent === true;
  }

  /** @throws {ProtocolError} Where the bytes are no response. What came before counts. */
  feed(bytes: Bytes) {
    const content = this.#head ? bytes : this.#feedHead(bytes);
    if (content.length > 0) this.#feedContent(content);
  }

  /** Whether the response is complete if the connection ends now. */
  endsHere(): boolean {
    return this.#complete || this.#head?.content === "until close";
  }

  /** @returns What follows the head. */
  #feedHead(bytes: Bytes): Bytes {
    const early = this.#early.length === 0 ? bytes : Buffer.concat([this.#early, bytes]);
    const end = early.indexOf(HEAD_END, Math.max(0, this.#early.length - HEAD_END.length));
    if ((end < 0 ? early.length : end) > LONGEST_HEAD) throw new ProtocolError("Too long a head.");
    if (end < 0) return this.#wait(early);
    this.#early = NOTHING;
    const head = parseResponseHead(early.toString("latin1", 0, end), this.#method);
    const rest = early.subarray(end + HEAD_END.length);
    if (head.status < 200) {
      this.#skip(head);
      return rest.length > 0 ? this.#feedHead(rest) : rest;
    }
    this.#head = head;
    if (typeof head.content === "number") this.#missing = head.content;
    this.#complete = head.content === 0;
    this.#reader.onHead(head);
    return rest;
  }

  /** What begins otherwise than every response will never be one: it is not worth waiting for. */
  #wait(early: Bytes): Bytes {
    const known = Math.min(early.length, BEGINNING.length);
    if (early.compare(BEGINNING, 0, known, 0, known) !== 0)
      throw new ProtocolError("Expected a status line.");
    this.#early = early;
    return NOTHING;
  }

  #skip({ status }: ResponseHead) {
    if (status === 101) throw new ProtocolError("Expected no other protocol.");
    if (++this.#interim > MOST_INTERIM) throw new ProtocolError("Expected a final response.");
  }

  #feedContent(bytes: Bytes) {
    const content = this.#head?.content;
    if (this.#complete) this.#excess = true;
    else if (content === "until close") this.#reader.onContent(bytes);
    else if (content === "chunked") {
      this.#chunked ??= new ChunkedContent();
      const taken = this.#chunked.take(bytes, (part) => this.#reader.onContent(part));
      this.#complete = this.#chunked.complete;
      this.#excess = taken < bytes.length;
    } else {
      const part = bytes.length <= this.#missing ? bytes : bytes.subarray(0, this.#missing);
      this.#missing -= part.length;
      this.#complete = this.#missing === 0;
      this.#excess = part.length < bytes.length;
      this.#reader.onContent(part);
    }
  }
}
