import type { Layout } from "./layout.ts";

/** Dynadot's full export. Its registration date stands there twice, written and as a Unix time. */
export const dynadot: Layout = {
  id: "dynadot",
  registrar: "Dynadot",
  signatures: [{ all: ["domain", "renewal status", "expiration date", "domain note"] }],
  columns: {
    domain: "name",
    "expiration date": "expires",
    "renewal status": "autoRenew",
    folder: "tags",
    "domain note": "notes",
  },
};
