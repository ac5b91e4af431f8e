/**
 * Opens a WebSocket.
 *
 * @param url An http(s) URL.
 * @throws When the handshake fails, with Bun's message.
 */
export async function openSocket(url: string, options: Bun.WebSocketOptions = {}) {
  // Bun's client takes options, which the browser's types of the same name do not know.
  const socket: Bun.WebSocket = Reflect.construct(WebSocket, [
    url.replace(/^http/, "ws"),
    { perMessageDeflate: false, ...options },
  ]);
  /** Texts and binary messages, in order, as text; pings and pongs with their kind in front. */
  const heard: string[] = [];
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  let isOpen = true;
  socket.addEventListener("message", ({ data }) => heard.push(String(data)));
  socket.addEventListener("ping", ({ data }) => heard.push(`ping ${data}`));
  socket.addEventListener("pong", ({ data }) => heard.push(`pong ${data}`));
  socket.addEventListener("open", () => opened.resolve());
  socket.addEventListener("error", ({ message }) => opened.reject(new Error(message)));
  socket.addEventListener("close", ({ code, reason }) => {
    isOpen = false;
    closed.resolve({ code, reason });
  });
  await opened.promise;
  /** Resolves when `count` things have been heard; rejects when the connection ends before. */
  const hears = async (count: number) => {
    while (heard.length < count) {
      if (!isOpen) throw new Error(`The connection ended; heard ${JSON.stringify(heard)}.`);
      await Bun.sleep(1);
    }
    return heard.slice(0, count);
  };
  return { socket, heard, closed: closed.promise, hears };
}
