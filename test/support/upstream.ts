import type { Socket } from "node:net";
import { parseMessage, type RawMessage, values } from "./raw-http.ts";
import { startTcpServer } from "./tcp-server.ts";

/**
 * Starts a backend that is nothing but a socket, so that it can answer as no server would.
 *
 * @param answer Called with each complete request, and what to write, or do, to its socket.
 */
export async function startUpstream(answer: (socket: Socket, request: RawMessage) => void) {
  /** Every complete one that arrived, in order. */
  const requests: RawMessage[] = [];
  const server = await startTcpServer((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on("data", (data) => {
      bytes = Buffer.concat([bytes, Buffer.from(data)]);
      const request = parseMessage(bytes);
      if (!request?.complete) return;
      bytes = Buffer.alloc(0);
      requests.push(request);
      answer(socket, request);
    });
  });
  return { ...server, requests };
}

/** A plain answer: status line, headers, Content-Length, body. */
export function reply(body = "ok", headers: string[] = [], status = "200 OK"): string {
  const lines = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** The head with which a server agrees to a WebSocket (RFC 6455 §4.2.2), with headers of its own. */
export function agree(request: RawMessage, headers: string[] = []): string {
  const [key = ""] = values(request, "sec-websocket-key");
  const accept = new Bun.CryptoHasher("sha1")
    .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  const own = ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept}`];
  return `${["HTTP/1.1 101 Switching Protocols", ...own, ...headers].join("\r\n")}\r\n\r\n`;
}
