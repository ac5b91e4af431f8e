import type { Peer } from "../../shared/api.ts";
import { refuse } from "../static/plain-answers.ts";
import type { LongLived } from "../long-lived.ts";
import { LONGEST_MESSAGE, type Tunnel } from "./tunnel.ts";
import { refuseHandshake } from "./websocket-handshake.ts";

/** The part of Bun's server that turns a request into a WebSocket. */
export interface Switch {
  upgrade(request: Request, options: { data: Tunnel; headers: Record<string, string> }): boolean;
}

/** Opens a WebSocket to the backend, or returns the answer where that fails. */
export type Connect = (request: Request, peer: Peer) => Promise<Tunnel | Response>;

interface Handshake {
  connect: Connect;
  request: Request;
  peer: Peer;
  listener: Switch;
  longLived: LongLived;
}

/**
 * Completes a handshake with the client once the backend has completed the same one, so that a backend
 * that refuses or is not there is still an answer.
 *
 * @returns Undefined where the connection is a WebSocket from now on.
 */
export async function switchProtocols({
  connect,
  request,
  peer,
  listener,
  longLived,
}: Handshake): Promise<Response | undefined> {
  const refused = refuseHandshake(request);
  if (refused) return refused;
  const tunnel = await connect(request, peer);
  if (tunnel instanceof Response) return tunnel;
  const headers = tunnel.protocol ? { "Sec-WebSocket-Protocol": tunnel.protocol } : {};
  if (!request.signal.aborted && listener.upgrade(request, { data: tunnel, headers })) {
    tunnel.stayUntil(longLived);
    return undefined;
  }
  tunnel.abandon();
  return refuse(400, "Expected a WebSocket handshake over HTTP/1.1.");
}

/** What Bun's server tells of WebSockets, handed to the tunnel that each one belongs to. */
export const tunnelHandler = {
  open: (client) => client.data.join(client),
  message: (client, message) => client.data.fromClient(message),
  ping: (client, data) => client.data.pingFromClient(data),
  drain: (client) => client.data.drained(),
  close: (client, code, reason) => client.data.clientLeft(code, reason),
  maxPayloadLength: LONGEST_MESSAGE,
  // What waits is limited by not reading the other side, never by dropping a message.
  backpressureLimit: 0,
  idleTimeout: 120,
} satisfies Bun.WebSocketHandler<Tunnel>;
