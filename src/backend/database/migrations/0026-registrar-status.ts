import type { Migration } from "../database.ts";

/**
 * What the registrar's own word means stands beside it. The start after this folds the words
 * that are there already (`refoldStatuses`), as does each later version that knows more of them.
 */
export const registrarStatus: Migration = {
  version: 26,
  name: "registrar status",
  statements: [
    `alter table domains add column status_key text`,
    `alter table import_rows add column status_key text`,
    // What a preview says first: domains that another registrar has now, and second expiry dates.
    `alter table import_rows add column moves_from text`,
    `alter table import_rows add column moves_to text`,
    `alter table import_rows add column second_date smallint`,
    `create index import_rows_moving on import_rows (lookup)
      where moves_from is not null or second_date = 1`,
    // The few that `openFindings` asks for, in the same words.
    `create index domains_losing on domains (id)
      where status_key in ('cancelled', 'on-hold', 'redemption', 'pending-delete')`,
  ],
  // The index of the list has all columns that it is filtered by, and every index of Postgres has
  // unique entries: see the baseline.
  sqlite: [
    `drop index domains_list`,
    `create index domains_list on domains (name, unicode, tld, registrar_key, account_key, owner_key,
      decision, auto_renew, status_key, expires_on, expires_earliest, expires_conflict, done_for,
      renewal_minor, renewal_currency, renewal_years, sold_on, sold_minor, created_at, updated_at, id)`,
  ],
  postgres: [
    `alter index domains_losing set (deduplicate_items = off)`,
    `create index domains_by_status on domains (status_key, name, unicode)
      with (deduplicate_items = off)`,
  ],
};
