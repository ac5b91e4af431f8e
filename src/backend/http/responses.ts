import { matchesWeakly } from "../../shared/entity-tag.ts";
import { API_HEADERS } from "../../shared/problem.ts";
import { logFailure } from "../database/database-error.ts";

/** Sends JSON; of several headers of one name, such as cookies, each is sent. */
export function json(value: unknown, status = 200, headers: HeadersInit = {}): Response {
  const response = whole(JSON.stringify(value), headers, status);
  response.headers.set("Content-Type", "application/json");
  return response;
}

/** Sends a text with its length, which an answer to HEAD has too. */
export function whole(text: string, headers: HeadersInit, status = 200): Response {
  const body = Buffer.from(text);
  const response = new Response(body, { status, headers });
  response.headers.set("Content-Length", String(body.length));
  return response;
}

/** The 304 for a caller who has the content that an ETag names (RFC 9110 §15.4.5), else null. */
export function notModified({ method, headers }: Request, response: Response): Response | null {
  const etag = response.headers.get("etag");
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead || etag === null || response.status !== 200) return null;
  if (!matchesWeakly(headers.get("if-none-match"), etag)) return null;
  const kept = new Headers(response.headers);
  for (const name of ["Content-Type", "Content-Length"]) kept.delete(name);
  return new Response(null, { status: 304, headers: kept });
}

/**
 * Makes each text when the client has room for it. A failure of the first has a status; a later one
 * breaks the connection off.
 */
export async function csvFile(fileName: string, texts: AsyncGenerator<string>): Promise<Response> {
  const { value: first = "" } = await texts.next();
  const encoder = new TextEncoder();
  let isCancelled = false;
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(first));
    },
    async pull(controller) {
      try {
        const { value, done } = await texts.next();
        // The client may have left while the next text was made.
        if (isCancelled) return;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        // The response has begun: no status can tell.
        logFailure(`${fileName} could not be finished`)(error);
        controller.error(error);
      }
    },
    async cancel() {
      isCancelled = true;
      await texts.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="${fileName}"`,
    },
  });
}

/** Drops the body for HEAD, but not a stream: without one Bun would say that the length is 0. */
export function finish(request: Request, response: Response): Response {
  for (const [name, value] of Object.entries(API_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  if (request.method !== "HEAD" || !response.headers.has("content-length")) return response;
  return new Response(null, { status: response.status, headers: response.headers });
}
