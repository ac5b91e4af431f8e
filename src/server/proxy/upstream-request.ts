import type { Peer } from "../../shared/api.ts";
import { problem } from "../../shared/problem.ts";
import { type BodyFault, readBody, TOO_MANY_PARTS } from "../../shared/read-body.ts";
import { forwardBody } from "../forward-body.ts";

type AbortCause = "timeout" | "client left" | "too many bytes held";

/** One request to the backend: what aborts it, and the timer of a backend that is silent. */
export class Exchange {
  readonly #controller = new AbortController();
  /** Its reason is an `AbortCause`. */
  readonly signal = this.#controller.signal;
  /** What the backend has to send next. `fetch` shows nothing of a head before all of it is there. */
  awaited: "complete head" | "byte" = "complete head";
  readonly #timeoutMs: number;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(client: AbortSignal, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    if (client.aborted) this.abort("client left");
    else client.addEventListener("abort", () => this.abort("client left"));
  }

  /** Restarts the idle timer: something came, or a wait for the backend begins. */
  refresh() {
    if (this.#timer !== undefined) this.#timer.refresh();
    else if (!this.#stopped) {
      this.#timer = setTimeout(() => this.abort("timeout"), this.#timeoutMs);
    }
  }

  /** Stops the idle timer until the next `refresh`: nothing is awaited from the backend. */
  pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Stops the idle timer for good: whatever still comes may take its time. */
  stop() {
    this.#stopped = true;
    this.pause();
  }

  abort(cause: AbortCause) {
    this.stop();
    this.#controller.abort(cause);
  }
}

/** Headers that describe one connection, not the message: RFC 9110 §7.6.1. Alt-Svc names the backend. */
const HOP_BY_HOP =
  "connection keep-alive proxy-connection te trailer transfer-encoding upgrade alt-svc proxy-authenticate proxy-authorization".split(
    " ",
  );

/** Headers that `Connection` must not remove, as the message would mean something else without them. */
const ESSENTIAL = new Set(
  "host authorization cookie set-cookie content-length content-type".split(" "),
);

const TOKENS = /[!#$%&'*+\-.^_`|~\da-z]+/g;

export function withoutHopByHop(headers: Headers): Headers {
  const kept = new Headers(headers);
  const named = headers.get("connection")?.toLowerCase().match(TOKENS) ?? [];
  for (const name of HOP_BY_HOP) kept.delete(name);
  for (const name of named) if (!ESSENTIAL.has(name)) kept.delete(name);
  return kept;
}

/** What a proxy says about its client: ours to write, unless a trusted proxy stands in front. */
const CLIENT_CLAIMS = /^(?:x-forwarded-.*|forwarded|x-real-ip)$/;

/**
 * Headers without those of the client's connection, with `X-Forwarded-*` as this server knows them,
 * behind what a trusted proxy in front says.
 */
export function upstreamHeaders(received: Headers, peer: Peer, trustProxy: boolean): Headers {
  const headers = withoutHopByHop(received);
  headers.delete("host");
  headers.delete("expect");
  received.forEach((_, name) => {
    // Many backends read `X_Forwarded_For` as `X-Forwarded-For`; nginx drops such names as well.
    if (name.includes("_") || (!trustProxy && CLIENT_CLAIMS.test(name))) headers.delete(name);
  });
  const before = headers.get("x-forwarded-for");
  headers.set("x-forwarded-for", before ? `${before}, ${peer.remoteAddress}` : peer.remoteAddress);
  headers.set("x-forwarded-proto", peer.secure ? "https" : "http");
  if (!headers.has("x-forwarded-host")) headers.set("x-forwarded-host", received.get("host") ?? "");
  if (peer.basePath) headers.set("x-forwarded-prefix", peer.basePath);
  // Bun would send its own name otherwise.
  if (!headers.has("user-agent")) headers.set("user-agent", "");
  return headers;
}

/** A body of at most this many bytes is sent in one piece, with the Content-Length that it came with. */
export const MAX_WHOLE_BODY_BYTES = 65_536;

/** Bun reads bodies up to this size by itself: a stream would halve the requests per second. */
const MAX_UNCOUNTED_BODY_BYTES = 4096;

const WHOLE_BODY_TIMEOUT_MS = 15_000;

/**
 * Reads a body: a long one, or one of unknown length, as a stream, any other whole. Returns a response for
 * the client where that fails. The idle timer stops while the proxy waits for the client.
 */
export async function upstreamBody(request: Request, peer: Peer, exchange: Exchange) {
  if (request.method === "GET" || request.method === "HEAD") return null;
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) <= MAX_WHOLE_BODY_BYTES) {
    return Number(length) === 0 ? null : readWhole(request, Number(length), peer);
  }
  if (request.body === null) return null;
  return forwardBody(request.body.getReader(), {
    beforeRead() {
      exchange.pause();
      peer.release?.();
    },
    onChunk(chunk) {
      exchange.refresh();
      peer.refreshIdleTimer?.();
      if (peer.hold?.(chunk.length) === false) exchange.abort("too many bytes held");
    },
    onEnd() {
      exchange.refresh();
      peer.release?.();
    },
  });
}

async function readWhole(request: Request, length: number, peer: Peer) {
  const limits = { maxBytes: MAX_WHOLE_BODY_BYTES, timeoutMs: WHOLE_BODY_TIMEOUT_MS };
  const isShort = length <= MAX_UNCOUNTED_BODY_BYTES;
  const read = await (isShort ? readShort(request, peer) : readBody(request.body, peer, limits));
  if (typeof read !== "string") return read;
  if (read === "refused") return tooBusy();
  const isLate = read === "late";
  const detail = isLate ? "The body did not arrive in time." : TOO_MANY_PARTS;
  return problem(isLate ? 408 : 400, detail, {}, { Connection: "close" });
}

async function readShort(
  request: Request,
  peer: Peer,
): Promise<Uint8Array<ArrayBuffer> | BodyFault> {
  const late = Promise.withResolvers<BodyFault>();
  const timer = setTimeout(() => late.resolve("late"), WHOLE_BODY_TIMEOUT_MS);
  const bytes = request.bytes().finally(() => clearTimeout(timer));
  const read = await Promise.race([bytes, late.promise]);
  return typeof read !== "string" && peer.hold?.(read.byteLength) === false ? "refused" : read;
}

/** 503: too many bytes of bodies are under way, from this address or in all. */
export function tooBusy(): Response {
  const headers = { "Retry-After": "1", Connection: "close" };
  return problem(503, "Too many uploads are in progress.", {}, headers);
}
