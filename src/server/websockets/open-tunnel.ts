import { offeredProtocols } from "./websocket-handshake.ts";
import { Tunnel } from "./tunnel.ts";

/** The backend answered a handshake with something else than a WebSocket. */
export class HandshakeError extends Error {
  override readonly name = "HandshakeError";
  /** The status that it answered with; null where there was none. */
  readonly status: number | null;

  constructor(message: string) {
    super(message);
    const status = REFUSED.exec(message)?.[1];
    this.status = status === undefined ? null : Number(status);
  }
}

/** Bun tells the status in its message alone. */
const REFUSED = /Expected 101 status code: (\d{3})/;

/** Headers of a handshake that belong to one connection: the client of this one writes its own. */
const OF_ONE_HANDSHAKE =
  "sec-websocket-key sec-websocket-version sec-websocket-extensions sec-websocket-protocol sec-websocket-accept content-length".split(
    " ",
  );

/** Bun's own client. The browser's types stand in front of Bun's, though it is Bun that runs this. */
const Client = WebSocket as unknown as new (
  url: string,
  options: Bun.WebSocketOptions,
) => Bun.WebSocket;

interface Options {
  /** An http(s) URL. */
  url: string;
  headers: Headers;
  tls: Bun.TLSOptions;
  /** Aborts while the backend has not answered. */
  signal: AbortSignal;
  /** Seconds that a backend may take nothing of what waits for it. */
  timeout: number;
}

/**
 * Opens a WebSocket to the backend for a client that asks for one.
 *
 * @throws {HandshakeError} When the backend does not agree to it or cannot be reached.
 * @throws What the signal was aborted with.
 */
export async function openTunnel({ url, headers, tls, signal, timeout }: Options): Promise<Tunnel> {
  const protocols = offeredProtocols(headers);
  for (const name of OF_ONE_HANDSHAKE) headers.delete(name);
  signal.throwIfAborted();
  const socket = new Client(url.replace(/^http/, "ws"), {
    headers,
    protocols,
    perMessageDeflate: false,
    tls,
  });
  const tunnel = new Tunnel(socket, timeout);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => {
    reject(signal.reason);
    socket.terminate();
  };
  signal.addEventListener("abort", abort);
  socket.addEventListener("open", () => resolve());
  socket.addEventListener("error", (event) => {
    reject(new HandshakeError(event.message));
  });
  // Without one of the two above it would be silence.
  socket.addEventListener("close", () => reject(new HandshakeError("closed")));
  await promise.finally(() => signal.removeEventListener("abort", abort));
  return tunnel;
}
