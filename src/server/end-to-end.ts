/** Headers that describe one connection, not the message: RFC 9110 §7.6.1; Alt-Svc names this one. */
const HOP_BY_HOP =
  "connection keep-alive proxy-connection te trailer transfer-encoding upgrade alt-svc proxy-authenticate proxy-authorization".split(
    " ",
  );

/** What `Connection` may not take away: the message would be another one without it. */
const ESSENTIAL = new Set(
  "host authorization cookie set-cookie content-length content-type".split(" "),
);

const TOKENS = /[!#$%&'*+\-.^_`|~\da-z]+/g;

/** Copies headers without those that end at this hop. `Connection` may name more of them. */
export function endToEnd(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of HOP_BY_HOP) kept.delete(name);
  for (const [name] of headers.get("connection")?.toLowerCase().matchAll(TOKENS) ?? []) {
    if (!ESSENTIAL.has(name)) kept.delete(name);
  }
  return kept;
}
