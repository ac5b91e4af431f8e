import type { Peer } from "../../../shared/api.ts";
import { TOKEN_PATH } from "../../../shared/session.ts";
import { RequestError } from "../../http/request-error.ts";
import type { Incoming } from "../../http/router.ts";
import { MAX_SESSION_SECONDS, xsrfCookieName } from "./sessions.ts";

/** Tokens against cross-site request forgery, signed and bound to one session id. */
export type XsrfTokens = ReturnType<typeof createXsrfTokens>;

/**
 * Tokens live as long as a session, so that a form that was open for days can still be sent.
 * Both limits are given: `Bun.CSRF` has one of 24 hours in `expiresIn` and another in `maxAge`.
 */
export function createXsrfTokens(secret: string) {
  const lifetime = MAX_SESSION_SECONDS * 1000;
  return {
    issue: (sessionId: string) => Bun.CSRF.generate(secret, { sessionId, expiresIn: lifetime }),
    verify: (token: string | null, sessionId: string | null) =>
      // An empty token makes Bun.CSRF throw, and without an id it would not look at the session.
      Boolean(token && sessionId) &&
      Bun.CSRF.verify(token ?? "", { secret, sessionId: sessionId ?? "", maxAge: lifetime }),
  };
}

/**
 * Refuses what another site made the browser send. GET and HEAD change nothing and need no proof.
 *
 * @throws {RequestError} 403
 */
export function refuseForgery(
  { request, peer, session, user }: Omit<Incoming, "judge">,
  tokens: XsrfTokens,
): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (isForeign(request, peer)) {
    throw new RequestError(403, "The request comes from another origin.");
  }
  // No browser adds an Authorization header by itself.
  if (user?.token) return;
  if (tokens.verify(request.headers.get("x-xsrf-token"), session.id)) return;
  const expected = `the X-XSRF-TOKEN header with the value of this session’s ${xsrfCookieName(peer)} cookie`;
  throw new RequestError(403, `Expected ${expected}, which GET ${TOKEN_PATH} sets.`);
}

/**
 * Whether a page of another origin sent the request. Browsers say so in `Sec-Fetch-Site`, where a
 * sibling subdomain (`same-site`) is foreign too, and in `Origin`, which has to name the host of the
 * request. Over https it has to be https; over http both are allowed, since a proxy that ends TLS in
 * front need not say so. A request with neither header comes from no browser: nothing to forge.
 */
function isForeign(request: Request, peer: Peer): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site === "cross-site" || site === "same-site") return true;
  const origin = request.headers.get("origin");
  if (origin === null) return false;
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const allowed = peer.secure ? ["https"] : ["https", "http"];
  return !allowed.some((scheme) => URL.parse(`${scheme}://${host}`)?.origin === origin);
}
