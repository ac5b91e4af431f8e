import type { Migration } from "../migrate.ts";

/**
 * One index instead of one for each column: the list counts and sorts every match anyway, so it scans
 * this copy of all columns that it filters and sorts by, which is a fraction of the table. It leaves
 * no choice to the planner, and a write has one index to keep. Postgres scans the table as fast, and
 * its index entries have a limit of 2,704 bytes, which three long labels can exceed.
 */
export const listIndex: Migration = {
  version: 7,
  name: "list index",
  statements: [
    `drop index domains_by_name`,
    `drop index domains_by_expiry`,
    `drop index domains_by_tld`,
    `drop index domains_by_registrar`,
    `drop index domains_by_account`,
    `drop index domains_by_owner`,
    `drop index domains_by_decision`,
    `drop index domains_by_auto_renew`,
    `drop index domains_in_conflict`,
  ],
  sqlite: [
    `create index domains_list on domains (name, unicode, tld, registrar_key, account_key, owner_key,
      decision, auto_renew, expires_on, expires_conflict, renewal_minor, renewal_currency, id)`,
  ],
};
