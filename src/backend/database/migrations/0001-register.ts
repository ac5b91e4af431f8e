import type { Migration } from "./migration.ts";

/**
 * Everything the register began with. Portable by keeping to text, integers and `smallint` 0/1 for
 * what is true or false; days and instants are ISO 8601 text, which sorts as it reads. `…_key`
 * columns hold the folded form of a label: it is what is compared, filtered and sorted by.
 * `unicode` is in the indexes of `domains` so that a search in any order reads no row that it drops.
 * The expiry in `domains` is derived from `observations` and kept there for its indexes.
 */
export const register: Migration = {
  version: 1,
  name: "register",
  statements: [
    `create table settings (name text primary key, value text not null)`,

    `create table users (
      id text primary key,
      email text not null unique,
      password text not null,
      owner smallint unique check (owner = 1),
      created_at text not null)`,

    `create table sessions (
      id_hash text primary key,
      user_id text not null references users (id) on delete cascade,
      created_at text not null,
      expires_at text not null)`,
    `create index sessions_by_expiry on sessions (expires_at)`,

    `create table registrars (label_key text primary key, label text not null)`,
    `create table tags (label_key text primary key, label text not null)`,

    `create table domains (
      id text primary key,
      version integer not null,
      name text not null unique,
      unicode text not null,
      tld text not null,
      registrar_key text references registrars (label_key),
      account text,
      account_key text,
      owner text,
      owner_key text,
      decision text check (decision in ('keep', 'drop', 'transfer', 'watch')),
      auto_renew smallint check (auto_renew in (0, 1)),
      expires_on text,
      expires_source text,
      expires_observed_at text,
      expires_conflict smallint not null check (expires_conflict in (0, 1)),
      renewal_minor bigint check (renewal_minor >= 0),
      renewal_currency text,
      renewal_years integer,
      created_at text not null,
      updated_at text not null,
      notes text not null)`,
    `create index domains_by_name on domains (name, unicode, id)`,
    `create index domains_by_expiry on domains (expires_on, name, unicode)`,
    `create index domains_by_tld on domains (tld, name, unicode)`,
    `create index domains_by_registrar on domains (registrar_key, name, unicode)`,
    `create index domains_by_account on domains (account_key, name, unicode)`,
    `create index domains_by_owner on domains (owner_key, name, unicode)`,
    `create index domains_by_decision on domains (decision, name, unicode)`,
    `create index domains_by_auto_renew on domains (auto_renew, name, unicode)`,

    `create table domain_tags (
      domain_id text not null references domains (id) on delete cascade,
      tag_key text not null references tags (label_key),
      primary key (domain_id, tag_key))`,
    `create index domain_tags_by_tag on domain_tags (tag_key, domain_id)`,

    `create table observations (
      id text primary key,
      domain_id text not null references domains (id) on delete cascade,
      kind text not null,
      source text not null,
      value text,
      observed_at text not null)`,
    `create index observations_by_domain on observations (domain_id, kind, source, observed_at, id)`,

    // No reference to domains: the history of a name outlives it.
    `create table changes (
      id text primary key,
      domain_id text not null,
      at text not null,
      made_by text not null,
      action text not null check (action in ('added', 'edited', 'deleted')),
      fields text not null)`,
    `create index changes_by_domain on changes (domain_id, id)`,

    `create table uploads (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      name text not null,
      bytes bigint not null,
      sha256 text not null,
      created_at text not null,
      expires_at text not null)`,
    `create index uploads_by_expiry on uploads (expires_at)`,
  ],
};
