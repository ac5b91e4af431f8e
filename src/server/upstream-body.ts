import { passOn } from "./pass-on.ts";
import type { Bytes } from "./resource.ts";
import type { Watchdog } from "./watchdog.ts";

/** Bodies up to this many bytes are passed on in one piece, with the Content-Length they came with. */
export const SMALL_BODY = 65_536;

/**
 * Bytes of a stream after which its parts are collected. They lie outside the heap, where the
 * collector does not see them grow: left to itself it lets 60 MB of them pile up.
 */
const SWEEP = 16_777_216;

/**
 * The body of a request on its way to the backend: streamed where it is large or of unknown length.
 * A client may take its time; the watchdog sleeps while one is waited for. GET and HEAD have none
 * that means anything (RFC 9110 §9.3.1), and `fetch` would refuse it.
 *
 * @param heard Called after each part of a streamed body.
 */
export async function upstreamBody(
  request: Request,
  watchdog: Watchdog,
  heard?: () => void,
): Promise<ReadableStream<Uint8Array> | Bytes | null> {
  if (request.method === "GET" || request.method === "HEAD") return null;
  const length = request.headers.get("content-length");
  // Asked before `body` is: to look at that alone makes a stream of what is there in one piece.
  if (length !== null && Number(length) <= SMALL_BODY) {
    watchdog.rest();
    const body = new Uint8Array(await request.arrayBuffer());
    watchdog.reset();
    return body.length === 0 ? null : body;
  }
  if (request.body === null) return null;
  let unswept = 0;
  return passOn(request.body.getReader(), {
    passed(part) {
      unswept += part.length;
      if (unswept < SWEEP) return;
      unswept = 0;
      Bun.gc(true);
    },
    before: () => watchdog.rest(),
    after() {
      watchdog.reset();
      heard?.();
    },
  });
}
