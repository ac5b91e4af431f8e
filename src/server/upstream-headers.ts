import type { Peer } from "./api.ts";
import { endToEnd } from "./end-to-end.ts";

/** What a proxy says about its client: ours to write, unless a proxy of ours stands in front. */
const CLAIMS = /^(?:x-forwarded-.*|forwarded|x-real-ip)$/;

/** Many backends cannot tell `X_Forwarded_For` from `X-Forwarded-For`: nginx drops such names too. */
const AMBIGUOUS = "_";

/**
 * The headers of a request on its way to the backend: without those of the client's connection, and
 * with `X-Forwarded-*` as this server knows them. `Host` is left to what sends the request: it names
 * the target.
 *
 * @param trustProxy Keeps what the proxy in front says, and appends.
 */
export function upstreamHeaders(given: Headers, peer: Peer, trustProxy: boolean): Headers {
  const headers = endToEnd(given);
  headers.delete("host");
  headers.delete("expect");
  // Taken from the given ones: these may not change while their names are read.
  given.forEach((_, name) => {
    if (name.includes(AMBIGUOUS) || (!trustProxy && CLAIMS.test(name))) headers.delete(name);
  });
  const before = headers.get("x-forwarded-for");
  headers.set("x-forwarded-for", before ? `${before}, ${peer.hop}` : peer.hop);
  headers.set("x-forwarded-proto", peer.secure ? "https" : "http");
  if (!headers.has("x-forwarded-host")) headers.set("x-forwarded-host", given.get("host") ?? "");
  // Bun would write its own name: the nearest it can come to sending none is an empty one.
  if (!headers.has("user-agent")) headers.set("user-agent", "");
  return headers;
}
