import type { Peer } from "../../shared/api.ts";
import { textResponse } from "../static/resource.ts";
import { MAX_MESSAGE_BYTES, Tunnel } from "./tunnel.ts";

/** Opens a WebSocket to the backend, or returns the response where that fails. */
export type Connect = (request: Request, peer: Peer) => Promise<Tunnel | Response>;

/** RFC 6455 §4.1. The `Upgrade` of any other protocol is ignored, as RFC 9110 §7.8 allows. */
export function isWebSocketHandshake({ method, headers }: Request): boolean {
  return (
    method === "GET" &&
    headers.get("upgrade")?.trim().toLowerCase() === "websocket" &&
    membersOf(headers, "connection").some((member) => member.toLowerCase() === "upgrade")
  );
}

export const tunnelHandler = {
  open: (client) => client.data.join(client),
  message: (client, message) => client.data.fromClient(message),
  ping: (client, data) => client.data.pingFromClient(data),
  drain: (client) => client.data.onClientDrained(),
  close: (client, code, reason) => client.data.onClientClosed(code, reason),
  maxPayloadLength: MAX_MESSAGE_BYTES,
  // A tunnel bounds what waits by not reading its other side; Bun would drop messages.
  backpressureLimit: 0,
  idleTimeout: 120,
} satisfies Bun.WebSocketHandler<Tunnel>;

/** The only version of the protocol: RFC 6455 §4.1. */
const VERSION = "13";

const KEY = /^[\da-z+/]{22}==$/i;

/** The response to a handshake that cannot be completed; null where it can: RFC 6455 §4.2.2. */
export function refuseHandshake(headers: Headers): Response | null {
  if (headers.get("sec-websocket-version")?.trim() !== VERSION) {
    return textResponse(426, "Expected a WebSocket of version 13.", {
      Connection: "upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": VERSION,
    });
  }
  if (KEY.test(headers.get("sec-websocket-key") ?? "")) return null;
  return textResponse(400, "Expected a Sec-WebSocket-Key of 16 bytes.");
}

function membersOf(headers: Headers, name: string): string[] {
  return (headers.get(name)?.split(",") ?? []).map((member) => member.trim());
}

/** The status with which a backend refused a handshake; null for any other failure of `openTunnel`. */
export function refusedStatus(error: unknown): number | null {
  // Bun 1.4.5 tells the status in this text alone: `test/server/canaries.test.ts` fails when it changes.
  const status = /Expected 101 status code: (\d{3})/.exec(String(error))?.[1];
  return status === undefined ? null : Number(status);
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
  signal: AbortSignal;
  timeoutMs: number;
}

/** @throws {Error} When the backend refuses it or cannot be reached; or what `signal` aborts with. */
export async function openTunnel({ url, headers, tls, signal, timeoutMs }: TunnelOptions) {
  const offered = membersOf(headers, "sec-websocket-protocol");
  const protocols = offered.filter((name) => name !== "");
  for (const name of HANDSHAKE_HEADERS) headers.delete(name);
  signal.throwIfAborted();
  // Bun's WebSocket client takes options that the browser's type of the same name lacks.
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
  socket.addEventListener("error", (event) => reject(new Error(event.message)));
  // In case neither of the two above comes.
  socket.addEventListener("close", () => reject(new Error("closed")));
  await promise.finally(() => signal.removeEventListener("abort", abort));
  return tunnel;
}
