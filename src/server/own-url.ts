import type { Config } from "./config/config.ts";

/** Addresses that stand for all of a machine's: a browser cannot go there. */
const EVERYWHERE = new Set(["0.0.0.0", "::"]);

/** Where a browser on this machine finds the server, without a slash at the end. */
export function ownUrl({ host, tls }: Config, port: number): string {
  const name = EVERYWHERE.has(host) ? "localhost" : host;
  return `${tls ? "https" : "http"}://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
