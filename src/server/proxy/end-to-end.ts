import { memoize } from "../../shared/memoize.ts";

/** One line of a head; the name in lower case. */
export type Header = readonly [name: string, value: string];

/** Headers that describe one connection, not the message: RFC 9110 §7.6.1; Alt-Svc names this one. */
const HOP_BY_HOP = new Set(
  "connection keep-alive proxy-connection te trailer transfer-encoding upgrade alt-svc proxy-authenticate proxy-authorization".split(
    " ",
  ),
);

/** What `Connection` may not take away: the message would be another one without it. */
const ESSENTIAL = new Set(
  "host authorization cookie set-cookie content-length content-type".split(" "),
);

const TOKENS = /[!#$%&'*+\-.^_`|~\da-z]+/g;

/** What a `Connection` header names, in lower case. */
export const tokensOf = memoize(
  (list): ReadonlySet<string> => new Set(list.toLowerCase().match(TOKENS)),
);

/**
 * Tells which headers go further than this hop.
 *
 * @param connection All that `Connection` says, which may name more of them.
 */
export function isEndToEnd(name: string, connection: string): boolean {
  if (HOP_BY_HOP.has(name)) return false;
  return connection === "" || !tokensOf(connection).has(name) || ESSENTIAL.has(name);
}
