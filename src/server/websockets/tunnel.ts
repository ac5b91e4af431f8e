import type { ServerWebSocket } from "bun";

type Message = string | Buffer<ArrayBuffer>;

/** The longest message that a client may send. Bun keeps it until all of it is there. */
export const MAX_MESSAGE_BYTES = 1_048_576;

/** Bytes that may wait for one side before the other is no longer read. */
const MAX_WAITING_BYTES = 262_144;

/** Bun has no event for the backend's buffer running empty, so the tunnel polls it. */
const BUFFER_POLL_MS = 10;

/** Forwards at most one ping in this time, as a ping only shows that a side is alive: RFC 6455 §5.5.3. */
const PING_INTERVAL_MS = 1000;

/** Close codes: RFC 6455 §7.4.1. */
const GOING_AWAY = 1001;
const NO_CODE = 1005;
const CONNECTION_LOST = 1006;
const TOO_BIG = 1009;

/** The reason that Bun 1.4.5 gives, with 1006, where it closed with 1009: a test fails when it changes. */
const TOO_BIG_REASON = "Received too big message";

/**
 * Joins a client's WebSocket to the backend's. Messages, pings and close codes pass both ways. A side
 * that does not read stops the other from being read. What comes before the client joins waits.
 */
export class Tunnel {
  readonly #backend: Bun.WebSocket;
  readonly #timeoutMs: number;
  readonly #early: Message[] = [];
  readonly #onEnd: (() => void)[] = [];
  #client: ServerWebSocket<Tunnel> | undefined;
  #closed: { code: number; reason: string } | undefined;
  #poll: Timer | undefined;
  #forwardedPing = Number.NEGATIVE_INFINITY;

  /** @param timeoutMs How long a backend may leave all waiting bytes unread. */
  constructor(backend: Bun.WebSocket, timeoutMs: number) {
    this.#backend = backend;
    this.#timeoutMs = timeoutMs;
    backend.binaryType = "nodebuffer";
    backend.addEventListener("message", ({ data }) => this.#toClient(data));
    backend.addEventListener("ping", ({ data }) => this.#pingClient(data));
    backend.addEventListener("close", ({ code, reason }) => this.#onBackendClosed(code, reason));
  }

  get protocol(): string {
    return this.#backend.protocol;
  }

  /** Calls back once both sides are gone, or at once where they are. */
  onEnd(callback: () => void) {
    if (this.#closed && !this.#client) callback();
    else this.#onEnd.push(callback);
  }

  join(client: ServerWebSocket<Tunnel>) {
    this.#client = client;
    for (const message of this.#early.splice(0)) this.#toClient(message);
    if (this.#closed) this.#onBackendClosed(this.#closed.code, this.#closed.reason);
    else this.#backend.resume();
  }

  /** Closes the backend's side where no client came to join. */
  abandon() {
    this.#backend.terminate();
    this.#end();
  }

  goAway() {
    this.#closed = { code: GOING_AWAY, reason: "The server is going away." };
    this.#client?.close(this.#closed.code, this.#closed.reason);
  }

  fromClient(message: Message) {
    this.#backend.send(message);
    if (this.#backend.bufferedAmount <= MAX_WAITING_BYTES || this.#poll !== undefined) return;
    this.#client?.pause();
    this.#waitForBackend(this.#backend.bufferedAmount, performance.now());
  }

  /** Bun answers a ping itself; forwarded, it keeps the connection to the backend alive as well. */
  pingFromClient(data: Buffer) {
    // A client that does not read its pongs is not read either, until they are gone.
    if (this.#client && this.#client.getBufferedAmount() > MAX_WAITING_BYTES) this.#client.pause();
    const now = performance.now();
    if (now - this.#forwardedPing < PING_INTERVAL_MS) return;
    this.#forwardedPing = now;
    if (this.#backend.readyState === WebSocket.OPEN) this.#backend.ping(data);
  }

  #pingClient(data: Buffer) {
    const client = this.#client;
    if (client && client.getBufferedAmount() <= MAX_WAITING_BYTES) client.ping(data);
  }

  onClientDrained() {
    this.#backend.resume();
    if (this.#poll === undefined) this.#client?.resume();
  }

  onClientClosed(code: number, reason: string) {
    clearTimeout(this.#poll);
    this.#client = undefined;
    this.#backend.resume();
    if (code === NO_CODE) this.#backend.close();
    else if (code === CONNECTION_LOST && reason === TOO_BIG_REASON)
      this.#backend.close(TOO_BIG, reason);
    else if (isSendable(code)) this.#backend.close(code, reason);
    else this.#backend.terminate();
    this.#end();
  }

  #toClient(message: Message) {
    if (!this.#client) {
      this.#early.push(message);
      this.#backend.pause();
      return;
    }
    this.#client.send(message);
    // `send` returns 0 for an empty message as well, so only the buffer tells.
    if (this.#client.getBufferedAmount() > MAX_WAITING_BYTES) this.#backend.pause();
  }

  #onBackendClosed(code: number, reason: string) {
    clearTimeout(this.#poll);
    this.#closed = { code, reason };
    if (code === CONNECTION_LOST) this.#client?.terminate();
    else this.#client?.close(code, reason);
  }

  #end() {
    for (const callback of this.#onEnd.splice(0)) callback();
  }

  #waitForBackend(before: number, since: number) {
    this.#poll = setTimeout(() => {
      const waiting = this.#backend.bufferedAmount;
      const now = performance.now();
      this.#poll = undefined;
      if (waiting <= MAX_WAITING_BYTES / 2) this.#client?.resume();
      else if (waiting < before) this.#waitForBackend(waiting, now);
      else if (now - since < this.#timeoutMs) this.#waitForBackend(waiting, since);
      else this.#backend.terminate();
    }, BUFFER_POLL_MS);
  }
}

/** Whether Bun's client agrees to send a close code: RFC 6455 §7.4.2. */
function isSendable(code: number): boolean {
  if (code >= 3000 && code <= 4999) return true;
  return code >= 1000 && code <= 1014 && !(code >= 1004 && code <= 1006);
}
