import { logPath, type Peer, pathBelow } from "../../shared/api.ts";
import { log } from "../../shared/log.ts";
import { problem } from "../../shared/problem.ts";
import type { Database, ReadNow } from "../database/database.ts";
import { isDiskTrouble, isUnavailable, OutdatedError } from "../database/database-error.ts";
import { CredentialKeyError } from "../outbound/credentials.ts";
import { isRequestError } from "./request-error.ts";
import { finish } from "./responses.ts";
import type { Route } from "./route.ts";
import { callRoute, type Incoming, type Router } from "./router.ts";

/** Decides who sends a request, and what of it they may: `auth/` does. */
export interface Guard {
  /** @throws {RequestError} 400, 401 or 429. */
  identify(request: Request, peer: Peer): Promise<Pick<Incoming, "session" | "user">>;
  /** Returns what judges the sender again. @throws {RequestError} 403 for a forgery. */
  admit(incoming: Omit<Incoming, "judge">, route: Route): Pick<Incoming, "database" | "judge">;
}

interface RequestServices {
  database: Database;
  guard: Guard;
  router: Router;
  secretPaths: readonly string[];
  brand: string;
  publicUrl: string | null;
  clock: () => Date;
  readNow: ReadNow;
  readSight: Incoming["readSight"];
}

/**
 * Judges session or token (401), route (404, 405), role and forgery (403), then query and body. A
 * `RequestError` becomes its problem document here; any other error is logged here, once.
 */
export async function answerRequest(
  { guard, router, secretPaths, clock, ...services }: RequestServices,
  request: Request,
  peer: Peer,
): Promise<Response> {
  if (!URL.canParse(request.url)) {
    return finish(request, problem(400, "Expected a request with one valid Host header."));
  }
  const url = new URL(request.url);
  if (peer.basePath) url.pathname = pathBelow(peer.basePath, url.pathname);
  try {
    const identity = await guard.identify(request, peer);
    const context = { ...services, request, url, peer, now: clock(), ...identity };
    const found = router.find(context);
    const judged = guard.admit(context, found.route);
    return finish(request, await callRoute(found, { ...context, ...judged }));
  } catch (error) {
    return finish(request, toProblem(error, request, logPath(url.pathname, secretPaths)));
  }
}

function toProblem(error: unknown, { method, signal }: Request, path: string): Response {
  if (isRequestError(error)) {
    const { status, message, extra, headers } = error;
    // RFC 9110 §15.5.2: a 401 names a way to sign in that needs no page.
    const challenge = status === 401 && { "WWW-Authenticate": "Bearer" };
    return problem(status, message, extra, { ...challenge, ...headers });
  }
  if (error instanceof CredentialKeyError) return problem(409, error.message);
  if (error instanceof OutdatedError) {
    const detail =
      "A newer version is being installed: this server is read-only until it restarts. Try again soon.";
    return problem(503, detail, {}, { "Retry-After": "10" });
  }
  if (isUnavailable(error)) {
    const detail = isDiskTrouble(error)
      ? "Nothing was saved: the database’s disk is full or failing. The server’s operator has to free some space."
      : "The database is not available right now. Try again in a moment.";
    return problem(503, detail, {}, { "Retry-After": "1" });
  }
  // A client that went away makes its request fail, and reads no answer.
  if (!signal.aborted) log.error(`${method} ${path} failed`, error);
  return problem(500, "Something went wrong on the server. See its log.");
}
