import type { Peer } from "../../shared/api.ts";

/** Seconds that a session lives without a visit; its XSRF token lives exactly as long. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

const SESSION_ID = /^[\w-]{43}$/;

/**
 * The session cookie's name. Over https the prefix keeps subdomains and plain http from setting it:
 * RFC 6265bis §4.1.3.2. The product's name keeps apart what runs on other ports of one host.
 */
function sessionCookieName(peer: Peer): string {
  return peer.secure ? "__Host-freehold-session" : "freehold-session";
}

/** The id in the session cookie, where it has the form of one. */
export function readSessionId(request: Request, peer: Peer): string | null {
  const cookies = new Bun.CookieMap(request.headers.get("cookie") ?? "");
  const id = cookies.get(sessionCookieName(peer)) ?? "";
  return SESSION_ID.test(id) ? id : null;
}

/** Set-Cookie for the session: out of reach of scripts. */
export function sessionCookie(id: string, peer: Peer): string {
  return cookie(sessionCookieName(peer), id, { httpOnly: true, secure: peer.secure });
}

/** Set-Cookie for the token that scripts of our own origin send back in `X-XSRF-TOKEN`. */
export function xsrfCookie(token: string, peer: Peer): string {
  return cookie("XSRF-TOKEN", token, { httpOnly: false, secure: peer.secure });
}

function cookie(name: string, value: string, flags: { httpOnly: boolean; secure: boolean }) {
  const attributes = { path: "/", sameSite: "lax", maxAge: SESSION_SECONDS } as const;
  return new Bun.Cookie(name, value, { ...attributes, ...flags }).toString();
}
