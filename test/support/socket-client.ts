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
  let wake = Promise.withResolvers<void>();
  const hear = (what: string) => {
    heard.push(what);
    wake.resolve();
    wake = Promise.withResolvers();
  };
  socket.addEventListener("message", ({ data }) => hear(String(data)));
  socket.addEventListener("ping", ({ data }) => hear(`ping ${data}`));
  socket.addEventListener("pong", ({ data }) => hear(`pong ${data}`));
  socket.addEventListener("open", () => opened.resolve());
  socket.addEventListener("error", ({ message }) => opened.reject(new Error(message)));
  socket.addEventListener("close", ({ code, reason }) => closed.resolve({ code, reason }));
  await opened.promise;
  const ended = closed.promise.then(({ code }) => {
    throw new Error(`The connection ended with ${code}; heard ${JSON.stringify(heard)}.`);
  });
  ended.catch(() => undefined);
  /** Resolves when `count` things have been heard; rejects when the connection ends before. */
  const hears = async (count: number) => {
    while (heard.length < count) await Promise.race([wake.promise, ended]);
    return heard.slice(0, count);
  };
  return { socket, heard, closed: closed.promise, hears };
}
