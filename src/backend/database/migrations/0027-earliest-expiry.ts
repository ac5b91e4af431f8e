import type { Migration } from "../database.ts";

/**
 * The list goes by the earliest day that a source reports, and so do the indexes that served the one in
 * use. What is done is done for that day too.
 */
export const earliestExpiry: Migration = {
  version: 27,
  name: "earliest expiry",
  statements: [
    `update domains set done_for = expires_earliest
      where done_for = expires_on and expires_earliest <> expires_on`,
  ],
  // The index of SQLite's list has both columns.
  postgres: [
    `drop index domains_by_expiry`,
    `drop index domains_by_expires_on_desc`,
    `drop index domains_in_conflict`,
    `create index domains_by_expiry on domains (expires_earliest, name, unicode, auto_renew, decision,
      renewal_currency, renewal_minor) with (deduplicate_items = off)`,
    `create index domains_by_expires_earliest_desc on domains
      (expires_earliest desc nulls last, name) with (deduplicate_items = off)`,
    `create index domains_in_conflict on domains (expires_earliest, name)
      with (deduplicate_items = off) where expires_conflict = 1`,
  ],
};
