import type { Migration } from "../database.ts";
import { ON_POSTGRES, renewalsOf } from "./0037-aggregates.ts";

/** What a search looks into, but for tags. */
const COLUMNS = "name unicode registrar_key account_key owner_key notes_key custom_key".split(" ");

/** All of it joined by what no text has; most names are the same in Unicode. */
const textOf = (row: string) =>
  COLUMNS.map((column) => `${row}.${column}`)
    .map((value) => (value.endsWith(".unicode") ? `nullif(${value}, ${row}.name)` : value))
    .map((value) => `coalesce(${value}, '')`)
    .join(" || chr(31) || ");

/** A writer that waited for this migration does not see the row that it made, and is run again. */
const save = (row: string, from = "") => `insert into domain_search
  select ${row}.id, ${textOf(row)} ${from} on conflict (domain_id) do update set text = excluded.text`;

const of = (row: "old" | "new") => `(${COLUMNS.map((column) => `${row}.${column}`).join(", ")})`;

/** What home, costs and reminders ask of what expires, as on SQLite. */
const DUE = `expires_earliest, name, decision, auto_renew, renewal_minor, renewal_currency,
  renewal_years, done_for, expires_conflict, expires_on, sold_on, sold_minor, registrar_key, tld, id,
  person_id`;

/** Domains with a report that is new, other or gone, and one beside it: the only one shows no renewal. */
export const REPORTED_AGAIN = `(select distinct domain_id as id from reports_changed r where (
  select count(*) from observations o where o.domain_id = r.domain_id and o.id <> r.id
    and o.kind = 'expires') > 0) changed cross join lateral`;

/**
 * What a search looks into is a table on Postgres, as on SQLite. Each change of a domain is a new row there,
 * with an entry in every index: that of the trigrams took as long as all others together, though hardly
 * any change is of a text. And what expires is counted in one index instead of two.
 */
export const searchTable: Migration = {
  version: 39,
  name: "search table",
  statements: [],
  postgres: [
    // To drop the index waits for writers, too, but without the extension there is none.
    `lock table domains in access exclusive mode`,
    `drop index if exists domains_search`,
    `create table domain_search (
      domain_id text collate "C" primary key, text text collate "C" not null)`,
    save("domains", "from domains"),
    // Not by columns, whose collation is set once all migrations have run.
    ...[
      ["add", save("added", "from added")],
      ["change", `if ${of("old")} is distinct from ${of("new")} then ${save("new")}; end if`],
      ["remove", `delete from domain_search where domain_id = old.id`],
    ].map(
      ([name, statement]) => `create function domain_search_${name}() returns trigger
        language plpgsql as $$ begin ${statement}; return null; end $$`,
    ),
    ...[
      ["add", "insert", "referencing new table as added for each statement"],
      ["change", "update", "for each row"],
      ["remove", "delete", "for each row"],
    ].map(
      ([name, event, rows]) => `create trigger domain_search_${name} after ${event} on domains
        ${rows} execute function domain_search_${name}()`,
    ),
    `create or replace function refresh_renewals_paid() returns trigger language plpgsql as $$ begin
        delete from renewals_paid where domain_id in (select domain_id from reports_changed);
        ${renewalsOf(ON_POSTGRES, "= changed.id", REPORTED_AGAIN)} return null; end $$`,
    `drop index domains_wanted`,
    `drop index domains_by_expiry`,
    `create index domains_by_expires_earliest on domains (${DUE}) with (deduplicate_items = off)`,
    // Without the decision, which Postgres knows to be that of the index and does not look up.
    `drop index domains_dropping`,
    `create index domains_dropping on domains (expires_on, expires_conflict, name,
      expires_earliest, person_id, id)
      with (deduplicate_items = off) where decision = 'drop'`,
  ],
};
