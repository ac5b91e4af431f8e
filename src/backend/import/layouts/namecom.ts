import type { Layout } from "./layout.ts";

/** Name.com's short export, with dates as 12/31/2026. */
export const namecom: Layout = {
  id: "namecom",
  registrar: "Name.com",
  signatures: [{ exactly: ["domain name", "create date", "expire date"] }],
  columns: { "domain name": "name", "expire date": "expires" },
  dateOrder: "mdy",
};
