import { logFailure } from "../database/database-error.ts";

/** Sends a text with its length, which an answer to HEAD has too. */
export function whole(text: string, headers: HeadersInit, status = 200): Response {
  const body = Buffer.from(text);
  const response = new Response(body, { status, headers });
  response.headers.set("Content-Length", String(body.length));
  return response;
}

/** Makes each text when the client has room for it. A failure after the first breaks the connection off. */
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
