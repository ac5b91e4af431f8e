import type { Layout } from "./layout.ts";

/** OVHcloud's domain list. Its `creation` is the day of the last change, and is not read. */
export const ovh: Layout = {
  id: "ovh",
  registrar: "OVHcloud",
  signatures: [{ all: ["domain", "domain utf-8", "expiration", "dns-server"] }],
  columns: { domain: "name", expiration: "expires" },
};
