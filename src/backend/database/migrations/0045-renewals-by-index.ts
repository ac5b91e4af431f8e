import type { Migration } from "../database.ts";

/** If Postgres counted the reports of one domain last, it would read all for each name of an import. */
export const renewalsByIndex: Migration = {
  version: 45,
  name: "renewals by index",
  statements: [],
  postgres: [`alter function refresh_renewals_paid() set enable_seqscan = off`],
};
