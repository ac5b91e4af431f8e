import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import type { Peer } from "../shared/api.ts";
import { memoize } from "../shared/memoize.ts";

/** Whether the connection itself is https, and whose X-Forwarded-* headers are true: parts of `Config`. */
export interface PeerTrust {
  tls: object | null;
  trustProxy: boolean;
  /** In CIDR; without any, every peer is the proxy. */
  trustedProxies: readonly string[];
}

export function isProxy(
  remote: string,
  { trustProxy, trustedProxies }: Omit<PeerTrust, "tls">,
): boolean {
  if (!trustProxy || trustedProxies.length === 0) return trustProxy;
  const canonical = canonicalAddress(remote);
  if (canonical === null) return false;
  const address = ipaddr.parse(canonical);
  return trustedProxies.some((cidr) => {
    const [network, bits] = parseNetwork(cidr);
    return address.kind() === network.kind() && address.match(network, bits);
  });
}

const parseNetwork = memoize((cidr) => ipaddr.parseCIDR(cidr));

/**
 * Uses the last address of X-Forwarded-For, which the proxy saw. The addresses before it are claims of
 * that client, believed only while the client is a trusted proxy, too.
 */
export function readPeer(headers: Headers, remote: string, trust: PeerTrust): Peer {
  const remoteAddress = canonicalAddress(remote) ?? remote;
  let address = remoteAddress;
  if (isProxy(remote, trust)) {
    for (const member of (headers.get("x-forwarded-for") ?? "").split(",").toReversed()) {
      const before = canonicalAddress(member.trim());
      if (before === null) break;
      address = before;
      if (trust.trustedProxies.length === 0 || !isProxy(address, trust)) break;
    }
  }
  return { address, remoteAddress, secure: isSecure(headers, remote, trust) };
}

export function isSecure(headers: Headers, remote: string, trust: PeerTrust): boolean {
  const said = isProxy(remote, trust) ? (headers.get("x-forwarded-proto") ?? "") : "";
  const protocol = said.split(",").at(-1)?.trim();
  return protocol ? protocol.toLowerCase() === "https" : trust.tls !== null;
}

/** One spelling per address (RFC 5952), as two would count as two clients. Null: not an address. */
export const canonicalAddress = memoize((text): string | null => {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text;
  const [withoutZone = ""] = bare.split("%", 1);
  const [withoutPort = ""] = bare.split(":", 1);
  if (isIPv4(withoutPort) && /^[\d.]+(?::\d+)?$/.test(bare)) return withoutPort;
  // An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) becomes the IPv4 address.
  return isIPv6(withoutZone) ? ipaddr.process(withoutZone).toString() : null;
});

export function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}
