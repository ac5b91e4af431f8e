import type { ServerWebSocket } from "bun";

/**
 * Starts a backend that greets a client, then sends each message back, but for `close <code> <reason>`,
 * `terminate`, `ping <data>`, `pause` and `send <count>`: that many messages of 1 MB.
 */
export function startSocketBackend(
  options: Partial<Bun.Serve.HostnamePortServeOptions<undefined>> = {},
) {
  /** The heads of those that arrived. */
  const handshakes: { url: string; headers: Record<string, string> }[] = [];
  /** What the connections told besides messages: pings, pongs and closes, in order. */
  const events: string[] = [];
  const sockets = new Set<ServerWebSocket<undefined>>();
  const megabyte = new Uint8Array(1_048_576).fill(120);
  const obey = (socket: ServerWebSocket<undefined>, message: string | Buffer) => {
    const [command = "", first = "", ...rest] =
      typeof message === "string" ? message.split(" ") : [];
    if (command === "close") socket.close(Number(first), rest.join(" "));
    else if (command === "terminate") socket.terminate();
    else if (command === "ping") socket.ping(first);
    else if (command === "pause") socket.pause();
    else if (command === "send")
      for (let count = Number(first); count > 0; count--) socket.send(megabyte);
    else socket.send(message);
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    ...options,
    fetch(request, listener) {
      handshakes.push({ url: request.url, headers: Object.fromEntries(request.headers) });
      const offered = request.headers.get("sec-websocket-protocol")?.split(", ").at(-1);
      const headers = offered ? { "Sec-WebSocket-Protocol": offered } : {};
      return listener.upgrade(request, { headers }) ? undefined : new Response("plain");
    },
    websocket: {
      maxPayloadLength: 64_000_000,
      backpressureLimit: 0,
      open(socket) {
        sockets.add(socket);
        socket.send("welcome");
      },
      message: obey,
      ping: (_, data) => void events.push(`ping ${data}`),
      pong: (_, data) => void events.push(`pong ${data}`),
      close: (socket, code, reason) => {
        sockets.delete(socket);
        events.push(`close ${code} ${reason}`);
      },
    },
  });
  return {
    url: `${options.tls ? "https" : "http"}://${server.hostname}:${server.port}`,
    handshakes,
    events,
    sockets,
    /** Resolves once `events` holds one that starts so. */
    async saw(event: string): Promise<string> {
      for (;;) {
        const found = events.find((each) => each.startsWith(event));
        if (found) return found;
        await Bun.sleep(5);
      }
    },
    [Symbol.asyncDispose]: async () => server.stop(true),
  };
}
