/** Headers that describe one connection, not the message: RFC 9110 §7.6.1. Alt-Svc names the backend. */
const HOP_BY_HOP =
  "connection keep-alive proxy-connection te trailer transfer-encoding upgrade alt-svc proxy-authenticate proxy-authorization".split(
    " ",
  );

/** What `Connection` must not remove: the message would be another one without it. */
const ESSENTIAL = new Set(
  "host authorization cookie set-cookie content-length content-type".split(" "),
);

const TOKENS = /[!#$%&'*+\-.^_`|~\da-z]+/g;

/** Returns a copy without hop-by-hop headers, including those that `Connection` names. */
export function withoutHopByHop(headers: Headers): Headers {
  const kept = new Headers(headers);
  const named = headers.get("connection")?.toLowerCase().match(TOKENS) ?? [];
  for (const name of HOP_BY_HOP) kept.delete(name);
  for (const name of named) if (!ESSENTIAL.has(name)) kept.delete(name);
  return kept;
}
