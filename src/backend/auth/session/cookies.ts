import { cookieNameAt, type Peer } from "../../../shared/api.ts";
import { TOKEN_PATH, XSRF_COOKIE } from "../../../shared/session.ts";
import type { Incoming } from "../../http/answer-request.ts";
import { RequestError } from "../../http/request-error.ts";
import { MAX_SESSION_SECONDS } from "./sessions.ts";

/** XSRF tokens live as long as a session, for forms left open for days. `Bun.CSRF` takes two limits. */
const TOKEN_LIFETIME_MS = MAX_SESSION_SECONDS * 1000;

const SESSION_ID = /^[\w-]{43}$/;

/**
 * Over https the prefix keeps subdomains and plain http from setting it (RFC 6265bis §4.1.3.2). It
 * demands `Path=/`, so the name alone keeps other base paths apart, and the product's name other ports.
 */
function sessionCookieName({ secure, basePath = "" }: Peer): string {
  return cookieNameAt(basePath, secure ? "__Host-freehold-session" : "freehold-session");
}

function xsrfCookieName({ basePath = "" }: Peer): string {
  return cookieNameAt(basePath, XSRF_COOKIE);
}

/** The id in the session cookie, where it has the form of one. */
export function readSessionId(request: Request, peer: Peer): string | null {
  const id = readSessionCookie(request, peer) ?? "";
  return SESSION_ID.test(id) ? id : null;
}

export function readSessionCookie({ headers }: Request, peer: Peer): string | null {
  return new Bun.CookieMap(headers.get("cookie") ?? "").get(sessionCookieName(peer));
}

/** Headers for a session, and for the token that scripts of this origin send back in `X-XSRF-TOKEN`. */
export function sessionCookies(
  { xsrfSecret }: { xsrfSecret: string },
  sessionId: string,
  peer: Peer,
): [session: [string, string], xsrf: [string, string]] {
  const set = (name: string, value: string, httpOnly: boolean): [string, string] => {
    const attributes = { path: "/", sameSite: "lax", maxAge: MAX_SESSION_SECONDS } as const;
    const cookie = new Bun.Cookie(name, value, { ...attributes, httpOnly, secure: peer.secure });
    return ["Set-Cookie", cookie.toString()];
  };
  const token = Bun.CSRF.generate(xsrfSecret, { sessionId, expiresIn: TOKEN_LIFETIME_MS });
  const own = set(sessionCookieName(peer), sessionId, true);
  return [own, set(xsrfCookieName(peer), token, false)];
}

/** Refuses what another site made the browser send. @throws {RequestError} 403 */
export function refuseForgery(
  { request, peer, session, user }: Omit<Incoming, "judge">,
  secret: string,
): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (isForeign(request, peer)) {
    throw new RequestError(403, "The request comes from another origin.");
  }
  // No browser adds an Authorization header by itself.
  if (user?.token) return;
  const token = request.headers.get("x-xsrf-token");
  const { id: sessionId } = session;
  const about = { secret, maxAge: TOKEN_LIFETIME_MS };
  // An empty token makes Bun.CSRF throw, and without an id it would not look at the session.
  if (token && sessionId && Bun.CSRF.verify(token, { ...about, sessionId })) return;
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
