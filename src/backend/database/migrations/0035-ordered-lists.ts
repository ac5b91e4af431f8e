import type { Migration } from "../database.ts";

/**
 * What the list is sorted by beside the name, whose index is that of the unique name. What tells most
 * apart comes last: of indexes that serve two filters, SQLite takes the newest.
 */
const SORTED =
  `created_at updated_at auto_renew decision tld expires_earliest registrar_key owner_key
  account_key`.split(/\s+/);

/** An index of this one is made with all that is asked of what expires: see the aggregates. */
const LATER = "expires_earliest";
const HERE = SORTED.filter((column) => column !== LATER);

const index = (column: string) => `create index domains_by_${column} on domains (${column}, name)`;

/**
 * Each order of the list is read from one index, in either direction, and the number of all domains is
 * kept: the sum of `domain_counts`. SQLite has one row there. Postgres gets another with each statement
 * that adds or removes domains, as writers would wait for each other's row; a sweep adds them up.
 */
export const orderedLists: Migration = {
  version: 35,
  name: "ordered lists",
  statements: [
    `create table domain_counts (names integer not null)`,
    `insert into domain_counts select cast(count(*) as integer) from domains`,
    // What has lapsed, which lists leave out. By the decision, too, or SQLite prefers the index of that.
    `create index domains_dropping on domains (decision, expires_on, expires_conflict, name,
      expires_earliest, person_id, id) where decision = 'drop'`,
  ],
  sqlite: [
    `create trigger domains_added after insert on domains
      begin update domain_counts set names = names + 1; end`,
    `create trigger domains_removed after delete on domains
      begin update domain_counts set names = names - 1; end`,
    `drop index domains_list`,
    ...HERE.map(index),
    `create index domains_by_status on domains (status_key, name) where status_key is not null`,
  ],
  postgres: [
    ...[1, -1].flatMap((sign) => {
      const [name, event, rows] =
        sign > 0 ? ["added", "insert", "new"] : ["removed", "delete", "old"];
      return [
        `create function count_${name}_domains() returns trigger language plpgsql as $$ begin
          insert into domain_counts select ${sign} * count(*) from counted having count(*) > 0;
          return null; end $$`,
        `create trigger domains_${name} after ${event} on domains referencing ${rows} table as counted
          for each statement execute function count_${name}_domains()`,
      ];
    }),
    ...SORTED.slice(2).map((column) => `drop index domains_by_${column}_desc`),
    // The unique index serves names; and with the Unicode form, which no search reads from them, the
    // others wrote twice as much.
    ...["name", "status", ...HERE.slice(2)].map(
      (column) => `drop index domains_by_${column.replace("_key", "")}`,
    ),
    ...[...HERE, "status_key"].map((column) => `${index(column)} with (deduplicate_items = off)`),
    `alter index domains_dropping set (deduplicate_items = off)`,
  ],
};
