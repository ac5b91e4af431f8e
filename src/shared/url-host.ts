/** Longer URLs are cut here, as the host stands at the beginning. */
const MAX_LOOKED_AT = 2000;

/** A scheme or two slashes, perhaps with a user; then the host, a port, and what follows. */
const URL_PARTS =
  /^((?:[a-z][a-z\d+.-]*:)?\/\/(?:[^/?#@\s]*@)?)?([^/?#:@[\]\s]+)(:\d+)?([/?#].*)?$/is;

/**
 * The unchecked host of a pasted URL without a leading `www.`: of `https://www.example.com/shop`,
 * `example.com:8080` and `example.com/`. Null for a bare name, which keeps its `www.`, an e-mail or
 * IPv6 address.
 */
export function readUrlHost(text: string): string | null {
  const [, scheme, host, port, path] = URL_PARTS.exec(text.slice(0, MAX_LOOKED_AT).trim()) ?? [];
  if (host === undefined || (scheme ?? port ?? path) === undefined) return null;
  return host.replace(/^www\.(?=[^.]+\.)/i, "");
}
