import type { Peer } from "../../shared/api.ts";
import { type Header, isEndToEnd } from "./end-to-end.ts";

/** What a proxy says about its client: ours to write, unless a proxy of ours stands in front. */
const CLAIMS = /^(?:x-forwarded-.*|forwarded|x-real-ip)$/;

/** Many backends cannot tell `X_Forwarded_For` from `X-Forwarded-For`: nginx drops such names too. */
const AMBIGUOUS = "_";

/** What is not copied: it is written here, or where the request is framed, or not at all. */
const WRITTEN = new Set(
  "x-forwarded-for x-forwarded-proto x-forwarded-host host content-length expect".split(" "),
);

/**
 * The headers of a request on its way to the backend: without those of the client's connection, and
 * with `X-Forwarded-*` as this server knows them.
 *
 * @param trustProxy Keeps what the proxy in front says, and appends.
 */
export function upstreamHeaders(given: Headers, peer: Peer, trustProxy: boolean): Header[] {
  const headers: Header[] = [];
  const connection = given.get("connection") ?? "";
  given.forEach((value, name) => {
    if (WRITTEN.has(name) || name.includes(AMBIGUOUS)) return;
    if (!trustProxy && (name.startsWith("x-") || name === "forwarded") && CLAIMS.test(name)) return;
    if (isEndToEnd(name, connection)) headers.push([name, value]);
  });
  const before = trustProxy ? given.get("x-forwarded-for") : null;
  headers.push(
    ["x-forwarded-for", before ? `${before}, ${peer.remoteAddress}` : peer.remoteAddress],
    ["x-forwarded-proto", peer.secure ? "https" : "http"],
    [
      "x-forwarded-host",
      (trustProxy ? given.get("x-forwarded-host") : null) ?? given.get("host") ?? "",
    ],
  );
  return headers;
}
