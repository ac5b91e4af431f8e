import { logPath, type Peer, pathBelow } from "../shared/api.ts";
import { log } from "../shared/log.ts";
import { problem } from "../shared/problem.ts";
import { findProxyUser } from "./auth/session/users.ts";
import { readBearer } from "./auth/tokens/api-tokens.ts";
import { explainLostRight, judgeAgain } from "./auth/session/rights.ts";
import { refuseForgery } from "./auth/session/forgery.ts";
import type { Auth } from "./auth/sign-in.ts";
import { clientOf, hasSessionCookie, readSessionId } from "./auth/session/sessions.ts";
import type { Database } from "./database/database.ts";
import { isDiskTrouble, isUnavailable, OutdatedError } from "./database/database-error.ts";
import { RequestError } from "./http/request-error.ts";
import type { ReadNow } from "./database/clock.ts";
import { finish } from "./http/responses.ts";
import { callRoute, type Router } from "./http/router.ts";

/** What requests are answered with. */
interface RequestServices {
  database: Database;
  auth: Auth;
  router: Router;
  secretPaths: readonly string[];
  brand: string;
  publicUrl: string | null;
  clock: () => Date;
  readNow: ReadNow;
}

/**
 * Answers one request: session or API token (401), then route (404, 405), role and forgery (403), and
 * only then query and body, which the handler gets parsed. A `RequestError` becomes its problem document
 * here; any other error is a bug or a failing database, and is logged here, once.
 */
export async function answerRequest(
  { auth, router, secretPaths, clock, ...services }: RequestServices,
  request: Request,
  peer: Peer,
): Promise<Response> {
  if (!URL.canParse(request.url)) {
    return finish(request, problem(400, "Expected a request with one valid Host header."));
  }
  const url = new URL(request.url);
  if (peer.basePath) url.pathname = pathBelow(peer.basePath, url.pathname);
  try {
    const identity = await identify(services.database, auth, request, peer);
    const context = { ...services, request, url, peer, now: clock(), ...identity };
    const found = router.find(context);
    if (!found.route.hasSecret) refuseForgery(context, auth.xsrf);
    const judged = judgeAgain(context, found.route);
    return finish(request, await callRoute(found, { ...context, ...judged }));
  } catch (error) {
    return finish(
      request,
      toProblem(explainLostRight(error), request, logPath(url.pathname, secretPaths)),
    );
  }
}

/**
 * Who sends a request: the person of its API token, of which no cookie is read, of the header of a
 * trusted proxy, which vouches for them each time anew, or of its session.
 *
 * @throws {RequestError} 400 for both, 401 for a token that is not good, 429 after ten of them.
 */
async function identify(database: Database, auth: Auth, request: Request, peer: Peer) {
  const { sessions, tokens, owner, signIn } = auth;
  const bearer = readBearer(request);
  if (bearer === null && peer.proxyUser !== undefined) {
    // Its cookie is only what the XSRF token is bound to.
    const session = { id: readSessionId(request, peer), isStale: false, isProved: true };
    const create = (await owner.exists()) ? signIn.authCreate : null;
    const options = { create, address: peer.address };
    return { session, user: await findProxyUser(database, peer.proxyUser, options) };
  }
  if (bearer === null) {
    return sessions.identify(readSessionId(request, peer), clientOf(request, peer));
  }
  if (hasSessionCookie(request, peer)) {
    throw new RequestError(400, "Expected an API token or the cookie of a session, but got both.");
  }
  return tokens.identify(bearer, peer.address);
}

function toProblem(error: unknown, { method, signal }: Request, path: string): Response {
  if (error instanceof RequestError) {
    const { status, message, extra, headers } = error;
    // RFC 9110 §15.5.2: a 401 names a way to sign in that needs no page.
    const challenge = status === 401 && { "WWW-Authenticate": "Bearer" };
    return problem(status, message, extra, { ...challenge, ...headers });
  }
  if (error instanceof OutdatedError) {
    const detail = "A newer version is being installed: here it can only be read. Try again soon.";
    return problem(503, detail, {}, { "Retry-After": "10" });
  }
  if (isUnavailable(error)) {
    const detail = isDiskTrouble(error)
      ? "Nothing was saved: the disk of the database is full or fails. Its operator has to make room."
      : "The database is not available right now. Try again in a moment.";
    return problem(503, detail, {}, { "Retry-After": "1" });
  }
  // A client that went away makes its request fail, and reads no answer.
  if (!signal.aborted) log.error(`${method} ${path} failed`, error);
  return problem(500, "Something went wrong on the server. See its log.");
}
