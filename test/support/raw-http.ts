import { connect, type Socket } from "node:net";

/** A message as it was on the wire. */
export interface RawMessage {
  /** Status line or request line. */
  start: string;
  /** Names in lower case, in order, each line by itself. */
  headers: [name: string, value: string][];
  /** The content, chunks put together. */
  body: Buffer;
  /** Whether the framing says that all of it came. */
  complete: boolean;
}

export function values({ headers }: RawMessage, name: string): string[] {
  return headers.filter(([each]) => each === name).map(([, value]) => value);
}

export function statusOf({ start }: RawMessage): number {
  return Number(start.split(" ")[1]);
}

/** Reads a message from bytes; null while its head is not complete. */
export function parseMessage(bytes: Buffer): RawMessage | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [start = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const rest = bytes.subarray(end + 4);
  const message = { start, headers, body: rest, complete: false };
  const length = values(message, "content-length").at(0);
  if (values(message, "transfer-encoding").includes("chunked"))
    return { ...message, ...dechunk(rest) };
  const expected = Number(length ?? 0);
  return {
    ...message,
    body: rest.subarray(0, length ? expected : undefined),
    complete: rest.length >= expected,
  };
}

function dechunk(bytes: Buffer): { body: Buffer; complete: boolean } {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf("\r\n", at);
    if (line < 0) return { body: Buffer.concat(parts), complete: false };
    const size = Number.parseInt(bytes.subarray(at, line).toString("latin1"), 16);
    if (size === 0) return { body: Buffer.concat(parts), complete: true };
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

/** A request for a WebSocket, as `sendRaw` takes it. */
export const HANDSHAKE = [
  "GET /api/socket HTTP/1.1",
  "Host: front.example",
  "Connection: keep-alive, Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
].join("\n");

export const RAW_HANDSHAKE = `${HANDSHAKE.replaceAll("\n", "\r\n")}\r\n\r\n`;

/**
 * Sends bytes as they are, as no HTTP client would, and reads until the other side closes.
 *
 * @param head Request line and headers, one per line; `Connection: close` is added.
 */
export async function sendRaw(url: string, head: string, body: string | Uint8Array = "") {
  const lines = [
    ...head
      .trim()
      .split(/\r?\n/)
      .map((line) => line.trim()),
    "Connection: close",
  ];
  const bytes = await exchangeBytes(url, `${lines.join("\r\n")}\r\n\r\n`, body);
  const message = parseMessage(bytes);
  if (!message)
    throw new Error(`Expected an HTTP message, got ${JSON.stringify(bytes.toString())}`);
  return message;
}

export function exchangeBytes(url: string, ...sent: (string | Uint8Array)[]): Promise<Buffer> {
  return readAll(openRaw(url, ...sent));
}

/** A connection that sends bytes as they are. That it breaks is a way to be closed. */
export function openRaw(url: string, ...sent: (string | Uint8Array)[]): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  for (const bytes of sent)
    socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  return socket;
}

/** All that comes on a connection before the other side closes it. */
export function readAll(socket: Socket): Promise<Buffer> {
  const received: Buffer[] = [];
  socket.on("data", (data) => received.push(Buffer.from(data)));
  return new Promise((resolve) => socket.on("close", () => resolve(Buffer.concat(received))));
}
