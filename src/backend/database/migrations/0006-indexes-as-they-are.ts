import type { Migration } from "./migration.ts";

/** All indexes of `domains`; the first two are what Postgres calls those of its keys. */
const INDEXES = [
  "domains_pkey",
  "domains_name_key",
  "domains_by_name",
  "domains_by_expiry",
  "domains_by_tld",
  "domains_by_registrar",
  "domains_by_account",
  "domains_by_owner",
  "domains_by_decision",
  "domains_by_auto_renew",
  "domains_in_conflict",
];

/**
 * Every index of `domains` has the name in it, or is of a key: no two entries are alike but those of
 * one name before and after a change. To look for some that could be merged, page by page, takes
 * Postgres a third of the time in which an import changes all names.
 */
export const indexesAsTheyAre: Migration = {
  version: 6,
  name: "indexes as they are",
  statements: [],
  postgres: INDEXES.map((index) => `alter index ${index} set (deduplicate_items = off)`),
};
