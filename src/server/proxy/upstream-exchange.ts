import type { ConnectionPool } from "./connection-pool.ts";
import type { Reader } from "./pass-on.ts";
import type { ResponseHead } from "./response-head.ts";
import { ResponseParser, type ResponseReader } from "./response-parser.ts";
import type { Bytes, Connection, Owner } from "./upstream-connection.ts";
import { UpstreamError } from "./upstream-error.ts";
import type { Watchdog } from "./watchdog.ts";

/** What the backend answered: its content whole where it is short, and to be read where it is not. */
export interface UpstreamResponse {
  head: ResponseHead;
  content: Bytes | Reader;
}

/** Content of a known length up to this many bytes is waited for, and passed on in one piece. */
const SHORT = 65_536;

/** Bytes that may wait to be read before the backend is no longer listened to. */
const MOST_WAITING = 262_144;

/** Bytes that a waiting part takes beside its content, roughly. */
const OVERHEAD = 512;

/** Asks once more; null for what must not be sent twice. */
export type Again = (() => Promise<UpstreamResponse>) | null;

interface Waiting {
  resolve: (chunk: Awaited<ReturnType<Reader["read"]>>) => void;
  reject: (error: unknown) => void;
}

/**
 * One request on one connection. It ends when all of the response has come, when something fails, or
 * when it is ended; the connection goes back to the pool only where nothing is left on it.
 */
export class Exchange implements Owner, ResponseReader, Reader {
  readonly #pool: ConnectionPool;
  readonly #connection: Connection;
  readonly #parser: ResponseParser;
  readonly #answer = Promise.withResolvers<UpstreamResponse>();
  /** Where the response was handed over to be read, and nothing is to be collected any more. */
  #handedOver = false;
  #head: ResponseHead | null = null;
  #parts: Bytes[] = [];
  #waitingBytes = 0;
  #waiting: Waiting | null = null;
  /** Nothing has come. */
  #silent = true;
  /** All of the request has gone. */
  #sent = false;
  #over = false;
  #error: unknown = null;
  readonly #watchdog: Watchdog;
  readonly #again: Again;

  constructor({ pool, connection, method, watchdog, again }: Options) {
    this.#pool = pool;
    this.#connection = connection;
    this.#parser = new ResponseParser(method, this);
    this.#watchdog = watchdog;
    this.#again = again;
    connection.belongTo(this);
    watchdog.guard((reason) => this.fail(reason));
  }

  /** @throws {UpstreamError | ProtocolError} */
  get answer(): Promise<UpstreamResponse> {
    return this.#answer.promise;
  }

  get over(): boolean {
    return this.#over;
  }

  /** All of the request is on its way: from now on the connection may be used again after it. */
  sent() {
    this.#sent = true;
  }

  received(bytes: Bytes) {
    this.#silent = false;
    this.#watchdog.heard();
    try {
      this.#parser.feed(bytes);
    } catch (error) {
      this.fail(error);
      return;
    }
    if (this.#parser.complete) this.#succeed(this.#sent && this.#parser.reusable);
    this.#deliver();
  }

  closed(_: Connection, error?: Error) {
    if (!error && this.#parser.endsHere()) this.#succeed(false);
    else if (this.#silent && this.#again) {
      this.#over = true;
      this.#answer.resolve(this.#again());
    } else this.fail(new UpstreamError("ECONNRESET", error ? "reset" : "hung up"));
    this.#deliver();
  }

  onHead(head: ResponseHead) {
    this.#head = head;
  }

  onContent(part: Bytes) {
    this.#parts.push(part);
    this.#waitingBytes += part.length + OVERHEAD;
  }

  async read(): ReturnType<Reader["read"]> {
    const value = this.#take();
    if (value) {
      if (this.#waitingBytes < MOST_WAITING && !this.#over) this.#connection.resume();
      return { done: false, value };
    }
    if (this.#error !== null) throw this.#error;
    if (this.#over) return { done: true };
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  async cancel() {
    this.#waiting?.resolve({ done: true });
    this.#waiting = null;
    this.fail(null);
    this.#watchdog.end();
  }

  /** Ends it before its end; what has come of the content can still be read. */
  fail(error: unknown) {
    if (this.#over) return;
    this.#error = error;
    this.#end(false);
    this.#answer.reject(error);
    this.#waiting?.reject(error);
    this.#waiting = null;
  }

  #succeed(reusable: boolean) {
    this.#end(reusable);
    this.#watchdog.end();
  }

  #end(reusable: boolean) {
    if (this.#over) return;
    this.#over = true;
    if (reusable) this.#pool.give(this.#connection, this.#head?.keptFor ?? null);
    else this.#connection.close();
  }

  #take(): Bytes | undefined {
    const part = this.#parts.shift();
    if (part) this.#waitingBytes -= part.length + OVERHEAD;
    return part;
  }

  /** Hands over what has come to whoever waits for it. */
  #deliver() {
    const head = this.#head;
    if (!head || this.#error !== null) return;
    if (!this.#handedOver) {
      const { content } = head;
      if (!this.#over && typeof content === "number" && content <= SHORT) return;
      this.#handedOver = true;
      this.#answer.resolve({ head, content: this.#over ? join(this.#parts) : this });
    } else if (this.#waiting) {
      const { resolve } = this.#waiting;
      const value = this.#take();
      if (!value && !this.#over) return;
      this.#waiting = null;
      resolve(value ? { done: false, value } : { done: true });
    }
    if (this.#waitingBytes >= MOST_WAITING && !this.#over) this.#connection.pause();
  }
}

function join(parts: readonly Bytes[]): Bytes {
  const [only] = parts;
  return only && parts.length === 1 ? only : Buffer.concat(parts);
}

interface Options {
  pool: ConnectionPool;
  connection: Connection;
  method: string;
  watchdog: Watchdog;
  again: Again;
}
