import { ParseError } from "../../shared/parse.ts";
import { HttpError } from "../http.ts";
import { Button } from "../ui/button.tsx";
import { MissingCodeError } from "../ui/lazy-code.ts";
import { Notice } from "../ui/notice.tsx";

export function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Notice>
      {explain(error)} <Button onClick={onRetry}>Try again</Button>
    </Notice>
  );
}

/** Why a form could not be sent, if no field says so. */
export function FormFailure({ error }: { error: unknown }) {
  if (error === undefined || Object.keys(fieldErrors(error)).length > 0) return null;
  return <Notice>{explain(error)}</Notice>;
}

/** A failure in the browser; its message is for the person. */
export class ActionError extends Error {
  override readonly name = "ActionError";
}

/** Explains an error. @throws The error, unless it is an `HttpError`, `ActionError` or `MissingCodeError`. */
export function explain(error: unknown): string {
  if (error instanceof ActionError || error instanceof MissingCodeError) return error.message;
  if (!(error instanceof HttpError)) throw error;
  const { kind, status, problem } = error;
  if (kind === "network") return "Can’t reach the server. Check your connection.";
  if (kind === "timeout") return "The server took too long to answer.";
  if (problem?.detail) return problem.detail;
  if (kind === "http" && status >= 500) return "Something went wrong on the server. See its log.";
  return "The server gave an unexpected answer.";
}

/** The status and the problem document of a failed request, if it is one. */
export function failedResponse(error: unknown): Partial<Pick<HttpError, "status" | "problem">> {
  return error instanceof HttpError ? error : {};
}

/** The first problem of each field of an answer or a parser. */
export function fieldErrors(error: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  const answered = failedResponse(error).problem?.errors ?? [];
  for (const { pointer, detail } of error instanceof ParseError ? error.problems : answered) {
    found[String(pointer).slice(1)] ??= String(detail);
  }
  return found;
}
