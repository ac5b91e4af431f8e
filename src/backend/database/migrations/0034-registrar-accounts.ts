import type { Migration } from "../database.ts";

/**
 * Accounts at registrars, which are leased while they are read (`run` is the reading that has the
 * lease), and what their complete lists said of each name.
 */
export const registrarAccounts: Migration = {
  version: 34,
  name: "registrar accounts",
  statements: [
    `create table registrar_accounts (
      id text primary key,
      version integer not null,
      registrar text not null,
      label text not null,
      label_key text not null,
      credentials text not null,
      state text not null,
      outcome text,
      detail text,
      complete_at text,
      failures integer not null,
      refusals text not null,
      told_at text,
      notice text,
      asked_at text,
      shrunk_was integer,
      shrunk_now integer,
      shrunk_since text,
      shrunk_wait integer,
      due_at text not null,
      priority integer not null,
      leased_until text,
      run text,
      created_at text not null,
      unique (registrar, label_key)
    )`,
    `create table account_names (
      id text primary key,
      account_id text not null references registrar_accounts (id) on delete cascade,
      name text not null,
      place text not null check (place in ('listed', 'left', 'skipped', 'absent')),
      place_since text not null,
      told text not null,
      reason text,
      detail_at text,
      lists integer not null,
      holds integer not null,
      missing_since text,
      vanished_at text,
      refused_at text,
      operation text,
      unique (account_id, name)
    )`,
    `create index account_names_name on account_names (name)`,
    `create index account_names_operation on account_names (operation) where operation is not null`,
  ],
};
