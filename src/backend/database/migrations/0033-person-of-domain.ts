import type { Migration } from "../database.ts";

/**
 * A domain can be a person's, and a channel can tell of one person's domains alone. Whoever deletes a
 * person writes that into the history of their domains first; the references only make sure.
 */
export const personOfDomain: Migration = {
  version: 33,
  name: "person of domain",
  statements: [
    `alter table domains add column person_id text references users (id) on delete set null`,
    `alter table import_rows add column person_id text`,
    `alter table channels add column person_id text references users (id) on delete set null`,
  ],
  postgres: [
    `create index domains_by_person on domains (person_id, expires_earliest, name)
      with (deduplicate_items = off) where person_id is not null`,
  ],
  // What the list filters by is in its index.
  sqlite: [
    `drop index domains_list`,
    `create index domains_list on domains (name, unicode, tld, registrar_key, account_key, owner_key,
      person_id, decision, auto_renew, status_key, expires_on, expires_earliest, expires_conflict,
      done_for, renewal_minor, renewal_currency, renewal_years, sold_on, sold_minor, created_at,
      updated_at, id)`,
  ],
};
