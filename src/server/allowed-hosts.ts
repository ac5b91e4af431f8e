import type { Config } from "./config/config.ts";
import { canonicalAddress, isLoopback } from "./peer.ts";

/** Decides whether `/api/` answers under the name in a Host header. */
export type HostCheck = (host: string) => boolean;

type HostConfig = Pick<Config, "host" | "backendUrl" | "trustProxy" | "publicUrl" | "allowedHosts">;

/**
 * Protects a register on the loopback from DNS rebinding: a foreign page whose own name was pointed at
 * this machine is of the same origin for the browser, and only the Host header tells it apart.
 *
 * @returns Null where any host is allowed: other machines ask for this one by names it cannot know, and
 *   a backend behind the proxy has a check of its own.
 */
export function createHostCheck(config: HostConfig): HostCheck | null {
  const local = config.host === "localhost" || isLoopback(canonicalAddress(config.host) ?? "");
  if (!local || config.backendUrl !== null || config.trustProxy) return null;
  const names = new Set(["localhost", config.host, ...config.allowedHosts]);
  if (config.publicUrl !== null) names.add(new URL(config.publicUrl).hostname);
  return (host) => {
    const name = host.toLowerCase().replace(/:\d+$/, "");
    const address = canonicalAddress(name);
    return names.has(name) || (address !== null && isLoopback(address));
  };
}
