import type { Peer } from "../../../shared/api.ts";
import { TOKEN_PATH } from "../../../shared/session.ts";
import { RequestError } from "../../http/request-error.ts";
import type { Incoming } from "../../http/answer-request.ts";
import { MAX_SESSION_SECONDS, xsrfCookieName } from "./sessions.ts";

type XsrfTokens = ReturnType<typeof createXsrfTokens>;

/** They live as long as a session, for forms left open for days. `Bun.CSRF` takes two limits. */
export function createXsrfTokens(secret: string) {
  const lifetime = MAX_SESSION_SECONDS * 1000;
  return {
    issue: (sessionId: string) => Bun.CSRF.generate(secret, { sessionId, expiresIn: lifetime }),
    verify: (token: string | null, sessionId: string | null) =>
      // An empty token makes Bun.CSRF throw, and without an id it would not look at the session.
      !!token && !!sessionId && Bun.CSRF.verify(token, { secret, sessionId, maxAge: lifetime }),
  };
}

/** Refuses what another site made the browser send. @throws {RequestError} 403 */
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
 * Browsers say so in `Sec-Fetch-Site`, where a sibling subdomain is foreign, too, and in `Origin`,
 * which has to name the host of the request: over https with https, over http with either, as a
 * proxy may end TLS. Without both headers no browser sent it, and there is nothing to forge.
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
