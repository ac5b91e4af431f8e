import type { Migration } from "./migration.ts";

/**
 * Every write is an operation that can be undone: its id stands with all changes that it made. What is
 * deleted goes to the bin, a table of its own, so that no query of the register has to leave deleted
 * domains out; `content` is JSON with the domain and all reports of its expiry. `done_for` is the
 * expiry for which a to-do was marked done; of rows of an import it is what the domain has already.
 *
 * Of an emptied table Postgres believes that all indexes cost the same: it checked each reference of a
 * restored row by the index of names, from end to end, as that had the id as its last column.
 */
export const operations: Migration = {
  version: 11,
  name: "operations",
  statements: [
    `alter table changes add column operation text`,
    `create index changes_by_operation on changes (operation, id) where operation is not null`,
    `alter table domains add column done_for text`,
    `alter table import_rows add column done_for text`,
    `create table bin (
      id text primary key,
      domain_id text not null unique,
      name text not null,
      unicode text not null,
      deleted_at text not null,
      deleted_by text not null,
      operation text,
      content text not null)`,
    `create index bin_by_time on bin (deleted_at)`,
  ],
  postgres: [
    `drop index domains_by_name`,
    `create index domains_by_name on domains (name, unicode) with (deduplicate_items = off)`,
  ],
};
