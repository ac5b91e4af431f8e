import type { Layout } from "./layout.ts";

/** DNSimple's domain list. `renew_by` is the day before the expiry; prices name no currency. */
export const dnsimple: Layout = {
  id: "dnsimple",
  registrar: "DNSimple",
  signatures: [{ all: ["domain_name", "registration_state", "expiration_date", "auto_renews"] }],
  columns: {
    domain_name: "name",
    expiration_date: "expires",
    auto_renews: "autoRenew",
    renewal_price: "renewalPrice",
    labels: "tags",
  },
};
