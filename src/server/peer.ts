import type { Peer } from "../shared/api.ts";

/** How far what a request says of its own origin may be believed. */
export interface PeerTrust {
  /** The connection itself is https. */
  tls: boolean;
  /** Whoever connects is a proxy of ours, and its X-Forwarded-* headers are true. */
  trustProxy: boolean;
}

/**
 * Who sent a request. Of what a trusted proxy says only the last address counts: that is the one it
 * saw, and those before it are what its client claimed.
 */
export function readPeer(headers: Headers, hop: string, { tls, trustProxy }: PeerTrust): Peer {
  const secure = isSecure(headers, { tls, trustProxy });
  if (!trustProxy) return { address: hop, remoteAddress: hop, secure };
  return { address: last(headers.get("x-forwarded-for")) ?? hop, remoteAddress: hop, secure };
}

/** Whether the browser came over https. */
export function isSecure(headers: Headers, { tls, trustProxy }: PeerTrust): boolean {
  const protocol = trustProxy ? last(headers.get("x-forwarded-proto")) : undefined;
  return protocol ? protocol.toLowerCase() === "https" : tls;
}

function last(list: string | null): string | undefined {
  return list?.split(",").at(-1)?.trim() || undefined;
}
