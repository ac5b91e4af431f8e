import { offeredProtocols } from "./handshake.ts";
import { Tunnel } from "./tunnel.ts";

/** The backend answered a handshake with something else than a WebSocket. */
export class HandshakeError extends Error {
  override readonly name = "HandshakeError";
  /** The status that it answered with; null without an answer. */
  readonly status: number | null;

  constructor(message: string) {
    super(message);
    // Bun 1.4.5 tells the status in this text alone: `test/server/canaries.test.ts` fails when it changes.
    const status = /Expected 101 status code: (\d{3})/.exec(message)?.[1];
    this.status = status === undefined ? null : Number(status);
  }
}

const HANDSHAKE_HEADERS =
  "sec-websocket-key sec-websocket-version sec-websocket-extensions sec-websocket-protocol sec-websocket-accept content-length".split(
    " ",
  );

interface TunnelOptions {
  /** An http(s) URL. */
  url: string;
  headers: Headers;
  tls: Bun.TLSOptions;
  /** Aborts while the backend has not answered. */
  signal: AbortSignal;
  timeoutMs: number;
}

/**
 * Opens a WebSocket to the backend for a client that asks for one.
 *
 * @throws {HandshakeError} When the backend refuses it or cannot be reached.
 * @throws What the signal was aborted with.
 */
export async function openTunnel({ url, headers, tls, signal, timeoutMs }: TunnelOptions) {
  const protocols = offeredProtocols(headers);
  for (const name of HANDSHAKE_HEADERS) headers.delete(name);
  signal.throwIfAborted();
  // Bun's WebSocket client takes options, which the browser's types of the same name do not know.
  const options: Bun.WebSocketOptions = { headers, protocols, perMessageDeflate: false, tls };
  const target = url.replace(/^http/, "ws");
  const socket: Bun.WebSocket = Reflect.construct(WebSocket, [target, options]);
  const tunnel = new Tunnel(socket, timeoutMs);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => {
    reject(signal.reason);
    socket.terminate();
  };
  signal.addEventListener("abort", abort);
  socket.addEventListener("open", () => resolve());
  socket.addEventListener("error", (event) => reject(new HandshakeError(event.message)));
  // In case neither of the two above comes.
  socket.addEventListener("close", () => reject(new HandshakeError("closed")));
  await promise.finally(() => signal.removeEventListener("abort", abort));
  return tunnel;
}
