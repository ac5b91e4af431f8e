import { problem } from "../../shared/problem.ts";
import { SilenceError } from "./upstream-error.ts";

interface Attempt {
  request: Request;
  target: string;
}

/** What happened, for the client: never where the backend is, nor what the library called it. */
const DETAILS: Record<string, string> = {
  ECONNREFUSED: "The backend does not accept connections.",
  ENOTFOUND: "The backend's name is not known.",
  EAI_AGAIN: "The backend's name is not known at the moment.",
  ECONNRESET: "The backend broke the connection off.",
  EHOSTUNREACH: "The backend cannot be reached.",
  ENETUNREACH: "The backend cannot be reached.",
  ETIMEDOUT: "The backend cannot be reached.",
};

/** Answers for a backend that did not. */
export function describeFailure(error: unknown): Response {
  if (error instanceof SilenceError) return problem(504, "The backend was silent for too long.");
  const code = codeOf(error);
  const detail = isCertificateProblem(code)
    ? "The backend's certificate is not trusted."
    : (DETAILS[code] ?? "The backend did not answer in a way that can be passed on.");
  return problem(502, detail);
}

/** Answers for a backend that does not want this client's WebSocket: with its own status. */
export function refuseAsBackend(status: number): Response {
  return problem(status, "The backend refused the WebSocket.");
}

/** Writes one line that says which backend failed, and how. */
export function logFailure(error: unknown, { request, target }: Attempt) {
  const path = URL.parse(request.url)?.pathname ?? "";
  console.error(`${request.method} ${path}: ${target} failed: ${reasonOf(error)}`);
}

function isCertificateProblem(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER|ALTNAME/.test(code);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** On one line, whatever the library wrote. */
function reasonOf(error: unknown): string {
  if (error instanceof SilenceError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return `${codeOf(error) || "error"}: ${message.split("\n", 1)[0]}`;
}
