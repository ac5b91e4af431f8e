import { ConnectionPool } from "./connection-pool.ts";
import type { Header } from "./end-to-end.ts";
import { writeRequestHead } from "./request-head.ts";
import { type RequestContent, streamContent } from "./upstream-body.ts";
import type { Connection, Origin } from "./upstream-connection.ts";
import { type Again, Exchange, type UpstreamResponse } from "./upstream-exchange.ts";
import type { Watchdog } from "./watchdog.ts";

/** A request as the backend is to have it. */
export interface UpstreamRequest {
  method: string;
  /** Path and query. */
  target: string;
  /** Without any that say where it goes or how its content is framed. */
  headers: readonly Header[];
  content: RequestContent;
  watchdog: Watchdog;
  /** Called after each part of a streamed body. */
  heard?: (() => void) | undefined;
}

/** Methods that change nothing and carry nothing, so that they may be sent again: RFC 9110 §9.2.1. */
export const SAFE = new Set(["GET", "HEAD"]);

/** Asks one backend over HTTP/1.1, on connections that it keeps. */
export class UpstreamClient {
  readonly #host: string;
  readonly #pool: ConnectionPool;

  /** @param host What the backend is called in `Host`. */
  constructor(host: string, origin: Origin) {
    this.#host = host;
    this.#pool = new ConnectionPool(origin);
  }

  /**
   * Sends a request and waits for the head of the answer, or for all of it where that is short. A
   * backend may close an idle connection just as it is used again: what changes nothing is sent once
   * more then, on a new one, and nothing else is.
   *
   * @throws {UpstreamError | ProtocolError} Or why the watchdog ended it.
   */
  send(request: UpstreamRequest): Promise<UpstreamResponse> {
    const bytes = writeRequest(request, this.#host);
    request.watchdog.reset();
    const again = SAFE.has(request.method) ? () => this.#sendOnNew(bytes, request, null) : null;
    const kept = this.#pool.take();
    if (kept) return this.#exchange(kept, bytes, request, again);
    return this.#sendOnNew(bytes, request, again);
  }

  async #sendOnNew(bytes: Buffer, request: UpstreamRequest, again: Again) {
    return this.#exchange(await this.#open(request), bytes, request, again);
  }

  /** Closes what is kept, now, and what is in use after its exchange. */
  close() {
    this.#pool.close();
  }

  /** Waits no longer than the watchdog does; a connection that comes later is kept for another one. */
  async #open({ watchdog }: UpstreamRequest): Promise<Connection> {
    const { promise: ended, reject } = Promise.withResolvers<never>();
    watchdog.guard(reject);
    const opening = this.#pool.open();
    try {
      return await Promise.race([opening, ended]);
    } catch (error) {
      opening.then(
        (late) => this.#pool.give(late, null),
        () => undefined,
      );
      throw error;
    }
  }

  #exchange(connection: Connection, bytes: Buffer, request: UpstreamRequest, again: Again) {
    const { method, watchdog, content } = request;
    const exchange = new Exchange({ pool: this.#pool, connection, method, watchdog, again });
    const writing = connection.write(bytes);
    if (!writing && !content.stream) exchange.sent();
    else sendRest(exchange, connection, request, writing).catch((error) => exchange.fail(error));
    return exchange.answer;
  }
}

async function sendRest(
  exchange: Exchange,
  connection: Connection,
  { content, watchdog, heard }: UpstreamRequest,
  writing: Promise<void> | undefined,
) {
  await writing;
  await streamContent(content, { connection, watchdog, over: () => exchange.over, heard });
  exchange.sent();
}

/** One piece of memory, and so one call of the system, for a head and the content that is there. */
function writeRequest({ method, target, headers, content }: UpstreamRequest, host: string): Buffer {
  const head = writeRequestHead({ method, target, host }, headers, content.framing);
  if (!content.whole) return Buffer.from(head, "latin1");
  const bytes = Buffer.allocUnsafe(head.length + content.whole.length);
  bytes.write(head, "latin1");
  bytes.set(content.whole, head.length);
  return bytes;
}
