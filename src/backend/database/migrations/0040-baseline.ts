import type { Migration } from "../database.ts";
import { derivedTables } from "./0040-derived-tables.ts";
import tables from "./0040-baseline.sql" with { type: "text" };

const TABLES: string = tables;

/** What home, costs and reminders ask of what expires. */
const DUE = `expires_earliest, name, decision, auto_renew, renewal_minor, renewal_currency,
  renewal_years, done_for, expires_conflict, expires_on, sold_on, sold_minor, registrar_key, tld, id`;

/**
 * The indexes of `domains`, in this order: of those that serve two filters, SQLite takes the newest, so
 * what tells most apart comes last. Each column that the list is sorted by has one, with the name behind
 * it; the unique index serves names. On Postgres no two entries are alike but those of one name before and
 * after a change: to look for some that could be merged, page by page, takes a third of the time in which
 * an import changes all names.
 */
function indexDomains(kind: "sqlite" | "postgres"): string[] {
  const isSqlite = kind === "sqlite";
  const index = (name: string, columns: string, where?: string) =>
    [
      `create index domains_${name} on domains (${columns})`,
      ...(isSqlite ? [] : ["with (deduplicate_items = off)"]),
      ...(where === undefined ? [] : [`where ${where}`]),
    ].join(" ");
  const sorted = (column: string) => index(`by_${column}`, `${column}, name`);
  const lapsed = "expires_on, expires_conflict, name, expires_earliest, person_id, id";
  const isDropped = "decision = 'drop'";

  return [
    // The few that `openFindings` asks for, in the same words.
    index("losing", "id", "status_key in ('cancelled', 'on-hold', 'redemption', 'pending-delete')"),
    // A search reads the custom fields of domains that have some, and no whole rows.
    ...(isSqlite ? [index("custom", "id, custom_key", "custom_key is not null")] : []),
    // What has lapsed, which lists leave out. SQLite prefers the index of the decision to one without it;
    // Postgres knows that it is that of the index, and does not look it up.
    index("dropping", isSqlite ? `decision, ${lapsed}` : lapsed, isDropped),
    ...["created_at", "updated_at", "auto_renew", "decision", "tld"].map(sorted),
    ...["registrar_key", "owner_key", "account_key"].map(sorted),
    isSqlite
      ? index("by_status", "status_key, name", "status_key is not null")
      : sorted("status_key"),
    index("sold", "sold_on, name", "sold_minor is not null"),
    index("purchased", "purchased_on", "purchased_on is not null"),
    index("by_expires_earliest", `${DUE}, person_id`),
    index(
      "by_person",
      `person_id, ${isSqlite ? DUE : "expires_earliest, name"}`,
      "person_id is not null",
    ),
    index(
      "in_conflict",
      isSqlite
        ? "expires_conflict, expires_earliest, name, decision, expires_on, person_id, id"
        : "expires_earliest, name",
      "expires_conflict = 1",
    ),
  ];
}

/**
 * The whole schema of commit e9018ab2, which opens older databases. Portable by keeping to text, integers
 * and `smallint` 0/1 for what is true or false; days and instants are ISO 8601 text, which sorts as it
 * reads. `…_key` columns hold the folded form of a label: it is what is compared, filtered and sorted by.
 */
export const baseline: Migration = {
  version: 40,
  name: "baseline",
  statements: [...TABLES.split(/;$/m).slice(0, -1), ...derivedTables.statements],
  sqlite: [
    ...indexDomains("sqlite"),
    `create table upload_parts (
      upload_id text not null references uploads (id) on delete cascade,
      number integer not null,
      bytes blob not null,
      primary key (upload_id, number))`,
    ...derivedTables.sqlite,
  ],
  postgres: [
    ...["pkey", "name_key"].map(
      (name) => `alter index domains_${name} set (deduplicate_items = off)`,
    ),
    ...indexDomains("postgres"),
    `create table upload_parts (
      upload_id text not null references uploads (id) on delete cascade,
      number integer not null,
      bytes bytea not null,
      primary key (upload_id, number))`,
    // Compressing takes longer than writing, and what is swept after a day needs no saving.
    `alter table upload_parts alter column bytes set storage external`,
    ...derivedTables.postgres,
  ],
};
