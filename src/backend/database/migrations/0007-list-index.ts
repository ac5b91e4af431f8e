import type { Migration } from "./migration.ts";

/** What the list sorts by, beside the name. */
const SORTED = [
  "expires_on",
  "registrar_key",
  "account_key",
  "owner_key",
  "tld",
  "decision",
  "auto_renew",
];

/**
 * On SQLite one index instead of one for each column: the list counts and sorts every match anyway,
 * so it scans this copy of all columns that it filters and sorts by, which is half the size of the
 * table. It leaves no choice to the planner, and a write has one index to keep. Postgres knows how many
 * rows a value has and chooses well among its indexes; an index of all columns could exceed the 2,704
 * bytes of its entries. There each column gets a second index in descending order, as a list ends with
 * the domains that have no value, whichever way it is sorted.
 */
export const listIndex: Migration = {
  version: 7,
  name: "list index",
  statements: [],
  sqlite: [
    `drop index domains_by_name`,
    `drop index domains_by_expiry`,
    `drop index domains_by_tld`,
    `drop index domains_by_registrar`,
    `drop index domains_by_account`,
    `drop index domains_by_owner`,
    `drop index domains_by_decision`,
    `drop index domains_by_auto_renew`,
    `drop index domains_in_conflict`,
    `create index domains_list on domains (name, unicode, tld, registrar_key, account_key, owner_key,
      decision, auto_renew, expires_on, expires_conflict, renewal_minor, renewal_currency, id)`,
  ],
  postgres: SORTED.map(
    (column) =>
      `create index domains_by_${column}_desc on domains (${column} desc nulls last, name)
      with (deduplicate_items = off)`,
  ),
};
