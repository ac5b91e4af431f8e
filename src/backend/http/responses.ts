import { API_HEADERS } from "../../shared/problem.ts";

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

export function noContent(): Response {
  return new Response(null, { status: 204 });
}

/** Returns the strong validator of one version of a resource (RFC 9110 §8.8.3). */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Adds the headers that every response carries, and drops the body of a response to HEAD. */
export function finish(request: Request, response: Response): Response {
  for (const [name, value] of Object.entries(API_HEADERS)) response.headers.set(name, value);
  if (request.method !== "HEAD") return response;
  return new Response(null, { status: response.status, headers: response.headers });
}
