import type { Layout } from "./layout.ts";

/** Porkbun's domain list; a sentence about estimated prices stands above the header. */
export const porkbun: Layout = {
  id: "porkbun",
  registrar: "Porkbun",
  signatures: [{ all: ["domain", "expire date", "auto renew", "est. renewal price"] }],
  columns: {
    domain: "name",
    "expire date": "expires",
    "auto renew": "autoRenew",
    "est. renewal price": "renewalPrice",
  },
  dollar: "USD",
};
