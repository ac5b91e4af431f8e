import { isEndToEnd } from "./end-to-end.ts";
import { isEventStream, passEventsOn } from "./event-stream.ts";
import { passOn, type Reader, readChunk } from "./pass-on.ts";
import { API_HEADERS } from "../../shared/problem.ts";
import type { ResponseHead } from "./response-head.ts";
import type { UpstreamResponse } from "./upstream-exchange.ts";
import type { Watchdog } from "./watchdog.ts";

interface Question {
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
 * @throws When the backend fails before anything has been sent.
 */
export function answerFromUpstream(
  { head, content }: UpstreamResponse,
  question: Question,
): Response | Promise<Response> {
  const { status } = head;
  const headers = copyHeaders(head, question.target);
  if (question.method === "HEAD" || BODYLESS.has(status))
    return new Response(null, { status, headers });
  if (content instanceof Uint8Array) {
    if (typeof head.content === "string") headers.append("content-length", `${content.length}`);
    return new Response(content, { status, headers });
  }
  return watch(content, headers, question).then((body) => new Response(body, { status, headers }));
}

function copyHeaders(head: ResponseHead, target: string): Headers {
  const headers = new Headers();
  const connection = head.connection;
  let unsniffed = true;
  let unrestrained = true;
  for (const [name, value] of head.headers) {
    if (!isEndToEnd(name, connection)) continue;
    if (name === "x-content-type-options") unsniffed = false;
    else if (name === "content-security-policy") unrestrained = false;
    headers.append(name, name === "location" ? relocate(value, target) : value);
  }
  if (unsniffed) headers.append("x-content-type-options", "nosniff");
  if (unrestrained)
    headers.append("content-security-policy", API_HEADERS["Content-Security-Policy"]);
  return headers;
}

/**
 * A backend that falls silent breaks the answer off; an event stream may be silent for as long as it
 * likes. Bun holds the head back until the first chunk, so that one can be waited for here: a failure
 * until then still has a proper answer.
 */
async function watch(reader: Reader, headers: Headers, { watchdog, failed }: Question) {
  if (isEventStream(headers)) {
    watchdog.rest();
    return passEventsOn(reader, headers, failed);
  }
  const observer = { before: () => watchdog.reset(), after: () => watchdog.rest(), failed };
  const { value } = await readChunk(reader, observer);
  return passOn(reader, observer, value);
}

/** A redirect to the backend itself is one to this site: the browser may not reach the other. */
function relocate(location: string, target: string): string {
  const inside = location.startsWith(target) && /^(?:[/?#]|$)/.test(location.slice(target.length));
  return inside ? location.slice(target.length) || "/" : location;
}
