import { endToEnd } from "./end-to-end.ts";
import { isEventStream, passEventsOn } from "./event-stream.ts";
import { passOn, readChunk } from "./pass-on.ts";
import { API_POLICY } from "./plain-answers.ts";
import { SMALL_BODY } from "./upstream-body.ts";
import type { Watchdog } from "./watchdog.ts";

interface Exchange {
  method: string;
  target: string;
  watchdog: Watchdog;
  /** Told when a body breaks off after its beginning has been sent. */
  failed: (error: unknown) => void;
}

/** Statuses that have no content, whatever a header says: RFC 9110 §15.3.5, §15.3.6, §15.4.5. */
const BODYLESS = new Set([204, 205, 304]);

/**
 * Turns the backend's answer into ours: status, every header that is not its connection's, each
 * Set-Cookie by itself, and the body as it comes, compressed or not. What keeps a browser from
 * running an answer as a page of this site is added where the backend says nothing about it.
 *
 * @throws What `fetch` does, when the backend fails before anything has been sent.
 */
export async function answerFromUpstream(
  upstream: Response,
  exchange: Exchange,
): Promise<Response> {
  const { status } = upstream;
  const headers = endToEnd(upstream.headers);
  const location = headers.get("location");
  if (location !== null) headers.set("location", relocate(location, exchange.target));
  if (!headers.has("x-content-type-options")) headers.set("x-content-type-options", "nosniff");
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", API_POLICY);

  const { watchdog } = exchange;
  if (exchange.method === "HEAD" || BODYLESS.has(status)) {
    watchdog.end();
    return new Response(null, { status, headers });
  }
  // Asked before `body` is: to look at that alone makes a stream of what is there in one piece.
  const length = headers.get("content-length");
  if (length !== null && Number(length) <= SMALL_BODY) {
    watchdog.reset();
    const content = await upstream.arrayBuffer();
    watchdog.end();
    return new Response(content, { status, headers });
  }
  const { body } = upstream;
  if (body === null) return new Response(null, { status, headers });
  return new Response(await watch(body, headers, exchange), { status, headers });
}

/**
 * A backend that falls silent breaks the answer off; an event stream may be silent for as long as it
 * likes. Bun holds the head back until the first chunk, so that one can be waited for here: a failure
 * until then still has a proper answer.
 */
async function watch(body: ReadableStream<Uint8Array>, headers: Headers, exchange: Exchange) {
  const { watchdog, failed } = exchange;
  const reader = body.getReader();
  if (isEventStream(headers)) return passEventsOn(reader, headers, failed);
  const observer = { before: () => watchdog.reset(), after: () => watchdog.rest(), failed };
  const { value } = await readChunk(reader, observer);
  return passOn(reader, observer, value);
}

/** A redirect to the backend itself is one to this site: the browser may not reach the other. */
function relocate(location: string, target: string): string {
  const inside = location.startsWith(target) && /^(?:[/?#]|$)/.test(location.slice(target.length));
  return inside ? location.slice(target.length) || "/" : location;
}
