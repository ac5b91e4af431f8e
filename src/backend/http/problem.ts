import { STATUS_CODES } from "node:http";
import type { FieldProblem, Problem } from "../../shared/contract.ts";

/** What a problem may say beyond its status and detail. */
export type ProblemExtra = Pick<Partial<Problem>, "errors" | "current" | "existing" | "count">;

/**
 * A problem document (RFC 9457). `detail` is for people: what was expected and what came, without
 * SQL, stack or path. The type is `about:blank`, so the title is the status in words (§4.2.1).
 */
export function problem(
  status: number,
  detail: string,
  extra: ProblemExtra = {},
  headers: Record<string, string> = {},
): Response {
  const title = STATUS_CODES[status] ?? "Error";
  const document: Problem = { type: "about:blank", title, status, detail, ...extra };
  const body = Buffer.from(JSON.stringify(document));
  return new Response(body, {
    status,
    headers: {
      ...headers,
      "Content-Type": "application/problem+json",
      "Content-Length": String(body.length),
    },
  });
}

/** Complaints in one answer; a person reads no more, and a body of nothing else is not sent back. */
const MAX_COMPLAINTS = 20;

/**
 * 400 that names the bad fields or parameters, all at once; of more than 20 it says how many more
 * there are.
 */
export function badFields(found: readonly FieldProblem[]): Response {
  const errors = found.slice(0, MAX_COMPLAINTS);
  const more = found.length - errors.length;
  if (more > 0) errors.push({ pointer: "", code: "more", detail: `There are ${more} more` });
  const detail = errors.map((error) => `${error.pointer || "body"}: ${error.detail}`).join("; ");
  return problem(400, detail.slice(0, 2000), { errors });
}

/** An answer that asks for patience: `seconds` goes into Retry-After (RFC 9110 §10.2.3). */
export function tryLater(status: 429 | 503, detail: string, seconds: number): Response {
  return problem(status, detail, {}, { "Retry-After": String(Math.max(1, Math.ceil(seconds))) });
}
