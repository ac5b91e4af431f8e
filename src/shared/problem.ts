import * as p from "./parse.ts";

/** Problem documents (RFC 9457), the body of every answer of the API that is not a success. */

/** What a problem may carry beyond its status and detail. */
export type ProblemExtra = p.ObjectOf<typeof extraShape>;

const extraShape = {
  errors: p.optional(p.list(p.object({ pointer: p.text, code: p.text, detail: p.text }))),
  /** With 412, and with 409 to the commit of a preview: the copy that the server holds now. */
  current: p.optional(p.anything),
  /** With 409: the id of the domain with this name, or of the import with this upload. */
  existing: p.optional(p.text),
  /** With 409 to a bulk change: how many domains match now. */
  count: p.optional(p.number),
  /** With 403: `POST /api/token/prove` first, or sign in again, and then repeat the request. */
  proof: p.optional(p.boolean),
  /** With 422: how a registrar refused the credentials of an account. */
  outcome: p.optional(p.text),
};

export type Problem = p.Parsed<typeof parseProblem>;

export const parseProblem = p.object({
  type: p.text,
  title: p.text,
  status: p.number,
  detail: p.text,
  ...extraShape,
});

/** Titles by status (RFC 9457 §4.2.1: with the type `about:blank`, the title is the status in words). */
export const PROBLEM_TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  421: "Misdirected Request",
  422: "Unprocessable Content",
  428: "Precondition Required",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** Headers of every answer under `/api/`: not cached, and harmless where a browser shows it alone. */
export const API_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const;

/** `detail` is for people: what was expected and what came, without SQL, stack or path. */
export function problem(
  status: number,
  detail: string,
  extra: ProblemExtra = {},
  headers: Readonly<Record<string, string>> = {},
): Response {
  const title = PROBLEM_TITLES[status] ?? "Error";
  const document: Problem = { type: "about:blank", title, status, detail, ...extra };
  const body = new TextEncoder().encode(JSON.stringify(document));
  return new Response(body, {
    status,
    headers: {
      ...API_HEADERS,
      ...headers,
      "Content-Type": "application/problem+json",
      "Content-Length": String(body.length),
    },
  });
}
