import { memoize } from "../shared/memoize.ts";
import type { Config } from "./config/config.ts";
import { canonicalAddress, isLoopback } from "./peer.ts";

/** One host, with or without a port, and nothing that would move the rest of the URL. */
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

const isHost = memoize((host) => HOST.test(host) && URL.canParse(`http://${host}/`));

/** The path of an absolute URL, without its query; empty if it has none. */
const pathOf = memoize((url) => {
  const path = url.indexOf("/", url.indexOf("//") + 2);
  return url.startsWith("http") && path >= 0 ? url.slice(path).replace(/[?#].*$/s, "") : "";
});

/** The path of the URL, which Bun has resolved; null without a Host header that names a host. */
export function readPath({ url, headers }: Request): string | null {
  return (isHost(headers.get("host") ?? "") && pathOf(url)) || null;
}

/** The path for the log where `readPath` returns null: Bun leaves the target as it came. */
export function readPathWithoutHost({ url }: Pick<Request, "url">): string {
  const target = url.replace(/^https?:\/\/[^/]*/, "");
  return URL.parse(`http://unknown${target}`)?.pathname ?? "/";
}

export function readPathAndQuery(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2)).replace(/#.*$/s, "");
}

export type HostCheck = (host: string) => boolean;

type HostConfig = Pick<
  Config,
  "host" | "backendUrl" | "trustProxy" | "publicUrl" | "allowedHosts" | "authHeader"
>;

/**
 * Protects a register on the loopback from DNS rebinding: a foreign page whose name points to this
 * machine is of the same origin, and only the Host header tells it apart. Null: any host is allowed.
 */
export function createHostCheck(config: HostConfig): HostCheck | null {
  const local = config.host === "localhost" || isLoopback(canonicalAddress(config.host) ?? "");
  // A page that was rebound to the address of the proxy could send the header that signs in.
  const isVouched = config.authHeader !== null && config.publicUrl !== null;
  if (!local || config.backendUrl !== null || (config.trustProxy && !isVouched)) return null;
  const named = ["localhost", config.host, ...config.allowedHosts];
  if (config.publicUrl !== null) named.push(new URL(config.publicUrl).hostname);
  const names = new Set(named.map(hostName));
  return (host) => {
    const name = hostName(host);
    const address = canonicalAddress(name);
    // Names below localhost cannot be registered, and browsers resolve them themselves: RFC 6761 §6.3.
    if (names.has(name) || /^(?:[^.]+\.)+localhost$/.test(name)) return true;
    return address !== null && isLoopback(address);
  };
}

/** A host without its port, in lower case; a dot at the end only says that it is complete: RFC 1034 §3.1. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/\.?(?::\d+)?$/, "");
}
