import { checkServerIdentity } from "node:tls";
import { UpstreamError } from "./upstream-error.ts";

/** What a socket hands over. */
export type Bytes = Buffer<ArrayBuffer>;

/** Where a backend listens. */
export interface Origin {
  /** A name, or an address without brackets. */
  hostname: string;
  port: number;
  /** Null: plain HTTP. */
  tls: Bun.TLSOptions | null;
  /** Seconds that it may take to open a connection. */
  timeout: number;
}

/** Whoever uses a connection at the moment. */
export interface Owner {
  received(bytes: Bytes, connection: Connection): void;
  /** The connection is gone. Not called for one that was closed from this side. */
  closed(connection: Connection, error?: Error): void;
}

/** A connection to the backend; at any moment it belongs to one owner. */
export class Connection {
  readonly #socket: Bun.Socket<Events>;
  #owner: Owner | null = null;
  #paused = false;
  #closed = false;
  /** What the socket has not taken, and who waits for that. */
  #unsent: Uint8Array | null = null;
  #taken: (() => void) | null = null;

  constructor(socket: Bun.Socket<Events>) {
    this.#socket = socket;
    socket.data = this;
  }

  get open(): boolean {
    return !this.#closed;
  }

  belongTo(owner: Owner) {
    this.#owner = owner;
    this.resume();
  }

  /**
   * Sends bytes, one call at a time.
   *
   * @returns A promise where the socket does not take all of them at once. It resolves when it has, or
   * when the connection is gone, which the owner hears as well.
   */
  write(bytes: Uint8Array): Promise<void> | undefined {
    const taken = Math.max(0, this.#socket.write(bytes));
    if (taken === bytes.length || this.#closed) return undefined;
    this.#unsent = bytes.subarray(taken);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#taken = resolve;
    return promise;
  }

  /** Reads no more, so that the backend has to wait. */
  pause() {
    if (this.#paused) return;
    this.#paused = true;
    this.#socket.pause();
  }

  resume() {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket.resume();
  }

  /** Closes at once, whatever is under way. */
  close() {
    this.#end();
    this.#socket.terminate();
  }

  onData(bytes: Bytes) {
    this.#owner?.received(bytes, this);
  }

  onDrain() {
    if (!this.#unsent) return;
    const taken = Math.max(0, this.#socket.write(this.#unsent));
    this.#unsent = taken === this.#unsent.length ? null : this.#unsent.subarray(taken);
    if (!this.#unsent) this.#release();
  }

  onClose(error?: Error) {
    const owner = this.#owner;
    if (!this.#end()) return;
    owner?.closed(this, error);
  }

  /** @returns Whether it was open until now. */
  #end(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.#owner = null;
    this.#unsent = null;
    this.#release();
    return true;
  }

  #release() {
    const taken = this.#taken;
    this.#taken = null;
    taken?.();
  }
}

/** What a socket tells; one that is being opened tells it to somebody else. */
interface Events {
  onData(bytes: Bytes): void;
  onDrain(): void;
  onClose(error?: Error): void;
  onHandshake?(failure: Error | null): void;
}

/** One set of handlers for all sockets: each tells it to whom it belongs. */
const HANDLERS: Bun.SocketHandler<Events> = {
  // No other thread has a hand in them, whatever the type allows.
  data: ({ data }, bytes) => data.onData(bytes as Bytes),
  drain: ({ data }) => data.onDrain(),
  close: ({ data }, error) => data.onClose(error),
  error(socket, error) {
    socket.data.onClose(error);
    socket.terminate();
  },
  handshake: ({ data }, _, failure) => data.onHandshake?.(failure),
};

/**
 * Opens a connection. Over TLS the backend has shown by then that it is the one that is named, whatever
 * the environment says about verification.
 *
 * @throws With a `code`, as the system or the TLS library writes it.
 */
export async function openConnection(origin: Origin): Promise<Connection> {
  const { hostname, port, tls } = origin;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => undefined);
  const events: Events = {
    onData: () => reject(new UpstreamError("EPROTO", "Spoke before it was asked.")),
    onDrain: () => undefined,
    onClose: (error) => reject(error ?? new UpstreamError("ECONNRESET", "Closed at once.")),
    onHandshake: (failure) => (failure ? reject(failure) : resolve()),
  };
  const socket = await Bun.connect<Events>({
    hostname,
    port,
    data: events,
    socket: HANDLERS,
    ...(tls ? { tls } : {}),
  });
  if (tls) await shaken(socket, promise, origin);
  else resolve();
  await promise;
  return new Connection(socket);
}

/**
 * Waits for the handshake and checks the name that the certificate is for. Who asks has given up by
 * the time that one which stalls is ended.
 */
async function shaken(
  socket: Bun.Socket<Events>,
  handshake: Promise<void>,
  { hostname, timeout }: Origin,
) {
  const patience = setTimeout(() => socket.terminate(), timeout * 1000 + 1000);
  try {
    await handshake;
    const stranger = checkServerIdentity(hostname, socket.getPeerCertificate());
    if (stranger) throw stranger;
  } catch (error) {
    socket.terminate();
    throw error;
  } finally {
    clearTimeout(patience);
  }
}
