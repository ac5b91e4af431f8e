import type { Peer } from "../../shared/api.ts";

/**
 * Whether a request was sent by a page of another origin. Browsers say so in `Sec-Fetch-Site`, where
 * a sibling subdomain (`same-site`) is foreign too, and in `Origin`, which must name the host that
 * was asked. Over https it must be https; without, https is allowed as well, since a proxy that
 * ends TLS in front of us need not have told. Neither header: no browser, and no cookies to abuse.
 */
export function isForeign(request: Request, peer: Peer): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site === "cross-site" || site === "same-site") return true;
  const origin = request.headers.get("origin");
  if (origin === null) return false;
  const host = request.headers.get("host") ?? hostOf(request.url);
  const allowed = peer.secure ? ["https"] : ["https", "http"];
  return !allowed.some((scheme) => originOf(`${scheme}://${host}`) === origin);
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
