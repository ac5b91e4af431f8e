import type { Layout } from "./layout.ts";

/** Sedo's portfolio: a marketplace, so its prices are what a name is offered for. */
export const sedo: Layout = {
  id: "sedo",
  registrar: null,
  signatures: [{ all: ["domain name", "domain name (ace)", "registrar", "sedomls status"] }],
  columns: { "domain name": "name", registrar: "registrar" },
};
