import {
  type Bytes,
  type Connection,
  openConnection,
  type Origin,
  type Owner,
} from "./upstream-connection.ts";

/** Connections that are kept for the next request. */
const MOST = 256;

/** Seconds that an unused connection is kept where the backend does not say: many drop it after 5. */
const KEPT = 4;

/** Seconds that a connection is given up before the backend said it would: it may take time to hear. */
const MARGIN = 1;

/** Seconds that one is kept at most, whatever the backend says. */
const MOST_KEPT = 60;

interface Idle {
  connection: Connection;
  /** When it is too old to be used, by the clock of `performance`. */
  until: number;
}

/** Keeps connections to one backend after their exchange, the one that was used last in front. */
export class ConnectionPool implements Owner {
  readonly #origin: Origin;
  #idle: Idle[] = [];
  #sweep: Timer | undefined;
  #closed = false;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** A connection that was used before; it may have gone stale without anybody having noticed. */
  take(): Connection | undefined {
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) {
      if (last.until > performance.now()) return last.connection;
      last.connection.close();
    }
    return undefined;
  }

  /** @throws What `openConnection` does. */
  open(): Promise<Connection> {
    return openConnection(this.#origin);
  }

  /**
   * Takes one back that nothing is under way on.
   *
   * @param keptFor Seconds that the backend says it keeps it.
   */
  give(connection: Connection, keptFor: number | null) {
    const seconds = keptFor === null ? KEPT : Math.min(keptFor - MARGIN, MOST_KEPT);
    if (this.#closed || seconds <= 0 || this.#idle.length >= MOST) return connection.close();
    connection.belongTo(this);
    this.#idle.push({ connection, until: performance.now() + seconds * 1000 });
    this.#sweep ??= setInterval(() => this.#sweepOut(), 1000).unref();
  }

  /** Closes what is kept; what is in use is closed when it is given back. */
  close() {
    this.#closed = true;
    this.#close(() => true);
  }

  /** Nobody asked: it is no answer to anything. */
  received(_: Bytes, connection: Connection) {
    this.#close((each) => each.connection === connection);
  }

  closed(connection: Connection) {
    this.#idle = this.#idle.filter((each) => each.connection !== connection);
  }

  #sweepOut() {
    const now = performance.now();
    this.#close(({ until }) => until <= now);
  }

  #close(chosen: (idle: Idle) => boolean) {
    const closing = this.#idle.filter(chosen);
    this.#idle = this.#idle.filter((each) => !chosen(each));
    for (const { connection } of closing) connection.close();
    if (this.#idle.length > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}
