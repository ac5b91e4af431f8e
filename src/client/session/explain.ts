import { HttpError } from "../http.ts";

/** Says in a sentence why a request failed, and what can be done about it. */
export function explain(error: unknown): string {
  if (!(error instanceof HttpError)) throw error;
  const { kind, status, problem } = error;
  if (kind === "network") return "The server cannot be reached. Check the connection.";
  if (kind === "timeout") return "The server took too long to answer.";
  if (problem?.detail) return problem.detail;
  if (kind === "http" && status !== 404) return `The server answered with the error ${status}.`;
  return "What answers here is not a backend that this application knows.";
}

/** The first complaint about each field that an answer names, by the field's name. */
export function fieldErrors(error: unknown): Record<string, string> {
  const errors = error instanceof HttpError ? error.problem?.errors : undefined;
  const found: Record<string, string> = {};
  for (const { pointer, detail } of errors ?? []) {
    found[String(pointer).slice(1)] ??= String(detail);
  }
  return found;
}
