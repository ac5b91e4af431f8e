import { createServer, type Socket } from "node:net";
import { parseMessage, type RawMessage } from "./raw-http.ts";

/** A backend that is nothing but a socket, so that it can answer as no server would. */
export interface Upstream extends AsyncDisposable {
  url: string;
  /** Every complete request that arrived, in order. */
  requests: RawMessage[];
  /** How many connections are open. */
  connections(): number;
}

/**
 * Listens on a free port of the loopback.
 *
 * @param answer Called with each complete request, and what to write, or do, to its socket.
 */
export async function startUpstream(
  answer: (socket: Socket, request: RawMessage) => void,
): Promise<Upstream> {
  const sockets = new Set<Socket>();
  const requests: RawMessage[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let bytes = Buffer.alloc(0);
    socket.on("data", (data) => {
      bytes = Buffer.concat([bytes, Buffer.from(data)]);
      const request = parseMessage(bytes);
      if (!request?.complete) return;
      bytes = Buffer.alloc(0);
      requests.push(request);
      answer(socket, request);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  const url = await listen(server);
  return {
    url,
    requests,
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A plain answer: status line, headers, Content-Length, body. */
export function reply(body = "ok", headers: string[] = [], status = "200 OK"): string {
  const lines = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

export async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Expected a TCP address.");
  return `http://127.0.0.1:${address.port}`;
}
