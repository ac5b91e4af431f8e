import type { Layout } from "./layout.ts";

/** GoDaddy's domain list, with the columns of its full export or the four of its short one. */
export const godaddy: Layout = {
  id: "godaddy",
  registrar: "GoDaddy",
  signatures: [
    { all: ["domain name", "international domain name", "ownership date", "expiration date"] },
    { exactly: ["domain name", "expiration date", "auto-renew", "status"] },
  ],
  columns: {
    "domain name": "name",
    "expiration date": "expires",
    "auto-renew": "autoRenew",
    "renewal price": "renewalPrice",
    foldermemberships: "tags",
  },
  dollar: "USD",
};
