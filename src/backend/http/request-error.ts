import { MAX_PROBLEMS, type FieldProblem } from "../../shared/parse.ts";
import type { ProblemExtra } from "../../shared/problem.ts";
import { isUniqueViolation } from "../database/database-error.ts";

/** What the caller did wrong, in words for people: never SQL, a stack or a path. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly status: number;
  readonly extra: ProblemExtra;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: string,
    extra: ProblemExtra = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.status = status;
    this.extra = extra;
    this.headers = headers;
  }
}

/** What the sender was let in by has ended, or is missing: no failed attempt to sign in. */
export class LostRightError extends RequestError {}

/** Whether an error is a `RequestError`; one that a thread threw has lost its class. */
export function isRequestError(error: unknown): error is RequestError {
  return error instanceof Error && error.name === "RequestError";
}

/** The 404 for what is not there, or not any more: a `channel`. */
export function gone(what: string): RequestError {
  return new RequestError(404, `This ${what} no longer exists.`);
}

/** Makes of the error that a unique name is taken a 409; another one is thrown on. */
export const taken =
  (pointer: string, detail: string) =>
  (error: unknown): never => {
    if (!isUniqueViolation(error)) throw error;
    throw new RequestError(409, detail, { errors: [{ pointer, code: "taken", detail }] });
  };

/** A 400 that lists at most 20 bad fields or parameters. */
export function badFields(found: readonly FieldProblem[]): RequestError {
  const errors = found.slice(0, MAX_PROBLEMS);
  const detail = errors.map((error) => `${error.pointer || "body"}: ${error.detail}`).join("; ");
  return new RequestError(400, detail.slice(0, 2000), { errors });
}

/** An error that may be gone after `seconds`, which go into Retry-After (RFC 9110 §10.2.3). */
export function tryLater(
  status: 429 | 503,
  detail: string,
  seconds: number,
  headers: Readonly<Record<string, string>> = {},
): RequestError {
  const wait = String(Math.max(1, Math.ceil(seconds)));
  return new RequestError(status, detail, {}, { ...headers, "Retry-After": wait });
}

export function notSignedIn(): LostRightError {
  return new LostRightError(401, "You are not signed in, or your session has ended.");
}

export function proofNeeded(): LostRightError {
  const detail = "Your last proof is older than 15 minutes. Confirm your password and try again.";
  return new LostRightError(403, detail, { proof: true });
}

/** The refusal of a change without `If-Match` (RFC 6585 §3). */
export function missingIfMatch(): RequestError {
  return new RequestError(428, "Expected If-Match with the ETag of the copy to be changed.");
}
