import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

interface TcpServerOptions {
  host?: string;
  port?: number;
  /** With TLS, whose connections come once they are secure. */
  tls?: { key: string; cert: string };
}

/** A TCP server on the loopback, which answers as no HTTP server would and counts who comes. */
export async function startTcpServer(
  handle: (socket: Socket) => unknown,
  { host = "127.0.0.1", port = 0, tls }: TcpServerOptions = {},
) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const accept = (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    handle(socket);
  };
  const server = tls ? createTlsServer(tls, accept) : createServer(accept);
  await new Promise<void>((resolve) => {
    // A busy machine may give the free port to somebody else first.
    server.on("error", () => server.listen(port, host));
    server.once("listening", resolve);
    server.listen(port, host);
  });
  const address = server.address();
  const taken = typeof address === "object" ? (address?.port ?? 0) : 0;
  const end = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    port: taken,
    url: `http://${host}:${taken}`,
    count: () => connections,
    /** How many are open. */
    connections: () => sockets.size,
    [Symbol.dispose]: () => void end(),
    [Symbol.asyncDispose]: end,
  };
}
