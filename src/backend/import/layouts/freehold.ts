import type { Layout } from "./layout.ts";

/** Our own export, see `writeCsv`: what it wrote is read back exactly. */
export const freehold: Layout = {
  id: "freehold",
  registrar: null,
  signatures: [
    { all: ["name", "unicode", "expires", "expiry source", "auto-renew", "renewal currency"] },
  ],
  columns: {
    name: "name",
    expires: "expires",
    "auto-renew": "autoRenew",
    "renewal price": "renewalPrice",
    "renewal currency": "currency",
    "renewal years": "years",
    registrar: "registrar",
    account: "account",
    owner: "owner",
    tags: "tags",
    decision: "decision",
    notes: "notes",
  },
  own: true,
};
