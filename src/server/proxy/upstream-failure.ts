import { problem } from "../../shared/problem.ts";

/** What happened, for the client: never where the backend is, nor what the library called it. */
const DETAILS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The backend refused the connection.",
  ENOTFOUND: "The backend's host name could not be resolved.",
  EAI_AGAIN: "The backend's host name could not be resolved.",
  ECONNRESET: "The backend closed the connection.",
  EHOSTUNREACH: "The backend could not be reached.",
  ENETUNREACH: "The backend could not be reached.",
  ETIMEDOUT: "The backend could not be reached.",
};

/** Builds the 502 or 504 response for a failed upstream request. */
export function describeFailure(error: unknown, timedOut: boolean): Response {
  if (timedOut) return problem(504, "The backend did not respond in time.");
  const code = codeOf(error);
  const detail = /CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)
    ? "The backend's certificate is not trusted."
    : (DETAILS[code] ?? "The backend did not send a valid response.");
  return problem(502, detail);
}

/** Logs on one line which backend failed, and how. */
export function logFailure(
  error: unknown,
  { request, target, timedOut }: { request: Request; target: string; timedOut: boolean },
) {
  const path = URL.parse(request.url)?.pathname ?? "";
  const reason = timedOut ? "no byte within UPSTREAM_TIMEOUT" : reasonOf(error);
  console.error(`${request.method} ${path}: ${target} failed: ${reason}`);
}

/** Whether a connection closed before anything came of it, as an idle one may when it is reused. */
export function isConnectionReset(error: unknown): boolean {
  return codeOf(error) === "ECONNRESET";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${codeOf(error) || "error"}: ${message.split("\n", 1)[0]}`;
}
