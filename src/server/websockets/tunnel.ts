import type { ServerWebSocket } from "bun";
import type { LongLived } from "../long-lived.ts";

type Message = string | Buffer<ArrayBuffer>;

/** Bytes that may wait for one side before the other is no longer read. */
const MOST_WAITING = 1_048_576;

/** Milliseconds between two looks at what waits for the backend: Bun does not tell when it is gone. */
const LOOK = 10;

/** The longest message that is passed on, either way, in bytes. One is held whole, never in parts. */
export const LONGEST_MESSAGE = 33_554_432;

/**
 * A WebSocket of a client and one to the backend, joined: messages, pings and the code of the close
 * pass through, both ways. A side that does not read stops the other from being read. What a backend
 * sends before the client is there waits for it.
 */
export class Tunnel {
  readonly #backend: Bun.WebSocket;
  readonly #patience: number;
  readonly #early: Message[] = [];
  #client: ServerWebSocket<Tunnel> | undefined;
  #closed: { code: number; reason: string } | undefined;
  #looking: Timer | undefined;
  #forget: (() => void) | undefined;

  /** @param seconds How long a backend may take nothing of what waits for it. */
  constructor(backend: Bun.WebSocket, seconds: number) {
    this.#backend = backend;
    this.#patience = seconds * 1000;
    backend.binaryType = "nodebuffer";
    backend.addEventListener("message", ({ data }) => this.#toClient(data));
    backend.addEventListener("ping", ({ data }) => void this.#client?.ping(data));
    backend.addEventListener("close", ({ code, reason }) => this.#backendLeft(code, reason));
  }

  /** The subprotocol that the backend chose; empty where it chose none. */
  get protocol(): string {
    return this.#backend.protocol;
  }

  /** Joins the client's side, once. */
  join(client: ServerWebSocket<Tunnel>) {
    this.#client = client;
    for (const message of this.#early.splice(0)) this.#toClient(message);
    if (this.#closed) this.#backendLeft(this.#closed.code, this.#closed.reason);
    else this.#backend.resume();
  }

  /** Lets go of the backend where no client came to join. */
  abandon() {
    this.#backend.terminate();
  }

  /** Goes away with the server: RFC 6455 §7.4.1. */
  stayUntil(longLived: LongLived) {
    this.#forget = longLived.add(() => {
      this.#closed = { code: GOING_AWAY, reason: "The server is going away." };
      this.#client?.close(this.#closed.code, this.#closed.reason);
    });
  }

  fromClient(message: Message) {
    this.#backend.send(message);
    if (this.#backend.bufferedAmount <= MOST_WAITING || this.#looking !== undefined) return;
    this.#client?.pause();
    this.#waitForBackend(this.#backend.bufferedAmount, performance.now());
  }

  /** A ping is answered at each hop by Bun; passed on, it keeps the other hop alive as well. */
  pingFromClient(data: Buffer) {
    if (this.#backend.readyState === WebSocket.OPEN) this.#backend.ping(data);
  }

  /** What waited for the client has been sent. */
  drained() {
    this.#backend.resume();
  }

  clientLeft(code: number, reason: string) {
    this.#forget?.();
    clearTimeout(this.#looking);
    this.#client = undefined;
    this.#backend.resume();
    if (code === NO_CODE) this.#backend.close();
    else if (isSendable(code)) this.#backend.close(code, reason);
    else this.#backend.terminate();
  }

  #toClient(message: Message) {
    if (!this.#client) {
      this.#early.push(message);
      this.#backend.pause();
      return;
    }
    // Sending an empty message succeeds with 0 as well: only what waits tells.
    this.#client.send(message);
    if (this.#client.getBufferedAmount() > MOST_WAITING) this.#backend.pause();
  }

  #backendLeft(code: number, reason: string) {
    clearTimeout(this.#looking);
    this.#closed = { code, reason };
    if (code === ABNORMAL) this.#client?.terminate();
    else this.#client?.close(code, reason);
  }

  #waitForBackend(before: number, since: number) {
    this.#looking = setTimeout(() => {
      const waiting = this.#backend.bufferedAmount;
      const now = performance.now();
      this.#looking = undefined;
      if (waiting <= MOST_WAITING / 2) this.#client?.resume();
      else if (waiting < before) this.#waitForBackend(waiting, now);
      else if (now - since < this.#patience) this.#waitForBackend(waiting, since);
      else this.#backend.terminate();
    }, LOOK);
  }
}

/** The server ends. */
const GOING_AWAY = 1001;

/** No close came, the connection was just gone; and a close that carried no code: RFC 6455 §7.4.1. */
const ABNORMAL = 1006;
const NO_CODE = 1005;

/** What Bun's client agrees to send: RFC 6455 §7.4.2. */
function isSendable(code: number): boolean {
  if (code >= 3000 && code <= 4999) return true;
  return code >= 1000 && code <= 1014 && !(code >= 1004 && code <= 1006);
}
