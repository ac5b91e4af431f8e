import { API_HEADERS } from "../../shared/problem.ts";

/** An answer with a JSON body. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const body = Buffer.from(JSON.stringify(value));
  return new Response(body, {
    status,
    headers: {
      ...headers,
      "Content-Type": "application/json",
      "Content-Length": String(body.length),
    },
  });
}

/** Gives an answer the headers that all of them carry, and takes the body from one to HEAD. */
export function finish(request: Request, response: Response): Response {
  for (const [name, value] of Object.entries(API_HEADERS)) response.headers.set(name, value);
  if (request.method !== "HEAD") return response;
  return new Response(null, { status: response.status, headers: response.headers });
}
