import { type Peer, urlFor, pathBelow } from "../../shared/api.ts";
import { API_HEADERS } from "../../shared/problem.ts";
import { type BodyReader, forwardBody } from "../forward-body.ts";
import { isEventStream } from "../open-connections.ts";
import { type Exchange, MAX_WHOLE_BODY_BYTES, withoutHopByHop } from "./upstream-request.ts";

interface Forwarding {
  method: string;
  target: string;
  peer: Peer;
  exchange: Exchange;
  /** Called when the body breaks off after its beginning has been sent. */
  onError: (error: unknown) => void;
}

/** Statuses without content, whatever a header says: RFC 9110 §15.3.5, §15.3.6, §15.4.5. */
const BODYLESS = new Set([204, 205, 304]);

/** Headers that keep a browser from running a response as a page of this site. */
const HARDENING = ["X-Content-Type-Options", "Content-Security-Policy"] as const;

/** Keeps status, body and headers that are not hop by hop. @throws What `fetch` throws first. */
export async function forwardResponse(upstream: Response, forwarding: Forwarding) {
  const { status } = upstream;
  const { method, target, peer, exchange } = forwarding;
  const headers = withoutHopByHop(upstream.headers);
  const location = headers.get("location");
  if (location !== null) headers.set("location", relocate(location, target, peer));
  for (const name of HARDENING) if (!headers.has(name)) headers.set(name, API_HEADERS[name]);

  if (method === "HEAD" || BODYLESS.has(status)) {
    exchange.stop();
    // For HEAD, Bun sends length 0 for a null body and no length for a stream, which it cancels.
    const isUnknown = method === "HEAD" && !BODYLESS.has(status) && !headers.has("content-length");
    const stream = { pull: (to: ReadableStreamController<Uint8Array>) => to.enqueue(COMMENT) };
    return new Response(isUnknown ? new ReadableStream(stream) : null, { status, headers });
  }
  const { body } = upstream;
  if (body === null) return new Response(null, { status, headers });
  const reader = body.getReader();
  const length = headers.get("content-length");
  if (isEventStream(headers)) {
    return new Response(await forwardEvents(reader, headers, forwarding), { status, headers });
  }
  if (length !== null && Number(length) <= MAX_WHOLE_BODY_BYTES) {
    const content = await collectContent(reader, Number(length), exchange);
    return new Response(content, { status, headers });
  }
  return new Response(await forwardContent(reader, forwarding), { status, headers });
}

/**
 * Waits for the whole of a small body: it keeps its length, and a failure is still a 502 or 504. One in chunks
 * may be longer than the length beside them (RFC 9112, §6.3).
 */
async function collectContent(reader: BodyReader, length: number, exchange: Exchange) {
  const chunks: Uint8Array[] = [];
  let left = length;
  for (;;) {
    exchange.refresh();
    const { done, value } = await reader.read();
    if (done) break;
    left -= value.byteLength;
    if (left < 0) {
      void reader.cancel();
      throw new Error("The body is longer than its Content-Length");
    }
    chunks.push(value);
  }
  exchange.stop();
  return Bun.concatArrayBuffers(chunks);
}

/** Awaits the first chunk, which sends the head: a failure until then gets a proper response. */
async function forwardContent(reader: BodyReader, { exchange, onError }: Forwarding) {
  exchange.refresh();
  const pending = reader.read();
  await pending;
  return forwardBody(reader, {
    pending,
    beforeRead: () => exchange.refresh(),
    onChunk: () => exchange.pause(),
    onError,
    onEnd: () => exchange.stop(),
  });
}

const FIRST_EVENT_MS = 50;

/** A line that readers of events ignore: HTML, server-sent events, §9.2.6. */
const COMMENT = new TextEncoder().encode(":\n\n");

/**
 * Events may be hours apart, so there is no idle timer. Bun holds the head back until the first
 * byte: without an event yet, a comment opens the stream. A compressed one has to wait.
 */
async function forwardEvents(reader: BodyReader, headers: Headers, forwarding: Forwarding) {
  const { exchange, onError } = forwarding;
  exchange.stop();
  if (headers.has("content-encoding")) return forwardBody(reader, { onError });
  const pending = reader.read();
  // The reader of the stream reports a failure.
  pending.catch(() => undefined);
  const first = await Promise.race([pending, Bun.sleep(FIRST_EVENT_MS)]);
  return forwardBody(reader, { pending, onError, ...(first ? {} : { prefix: COMMENT }) });
}

/** Makes a redirect to the backend one to this site, below its base path. */
function relocate(location: string, target: string, peer: Peer): string {
  const rest = location.startsWith(target) ? location.slice(target.length) : null;
  const isInside = rest !== null && /^(?:[/?#]|$)/.test(rest);
  const local = isInside ? rest.replace(/^(?!\/)/, "/") : location;
  return /^\/(?!\/)/.test(local) ? urlFor(peer, pathBelow(peer.basePath ?? "", local)) : local;
}
