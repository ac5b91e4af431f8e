import type { Layout } from "./layout.ts";

/** Namecheap's domain list. */
export const namecheap: Layout = {
  id: "namecheap",
  registrar: "Namecheap",
  signatures: [{ all: ["domain name", "domain auto-renew status", "domain expiration date"] }],
  columns: {
    "domain name": "name",
    "domain expiration date": "expires",
    "domain auto-renew status": "autoRenew",
  },
};
