import type { Migration } from "./migration.ts";

/**
 * Imports, and what each row of their files would do: the staged rows. `row_key` is the number of
 * the row in twelve digits; `id` has the staging before it, and `lookup` the staging and the name of
 * a row that is the first with it. They are keys of one column, so that Postgres cannot choose a bad
 * index while it knows nothing of fresh rows. The ids of what a commit writes are the import's
 * `stamp` with a row key behind it. The columns from `registrar_key` on are what the domain becomes, ready to be copied;
 * `expires_observed_at` null means the time of the commit. A staging that no import points to is
 * the rest of a preview that was made anew, or never finished.
 */
export const imports: Migration = {
  version: 2,
  name: "imports",
  statements: [
    `create table imports (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      upload_id text not null unique,
      state text not null check (state in ('preview', 'committed', 'undone')),
      file_name text not null,
      created_at text not null,
      previewed_at text not null,
      committed_at text,
      undone_at text,
      staging text,
      analysis text not null,
      date_order text,
      defaults text not null,
      counts text not null,
      registrar_key text,
      commit_key text,
      stamp text,
      undo text)`,
    `create index imports_by_state on imports (state, previewed_at)`,

    `create table import_stagings (id text primary key, created_at text not null)`,

    `create table import_rows (
      id text primary key,
      lookup text unique,
      staging text not null,
      row_key text not null,
      line integer not null,
      class text not null
        check (class in ('new', 'changed', 'same', 'duplicate', 'invalid')),
      repeats integer,
      said text not null,
      problems text not null,
      changes text not null,
      domain_id text,
      base_version integer,
      observed_day text,
      observed_source text,
      added_tags text,
      name text,
      unicode text,
      tld text,
      registrar_key text,
      registrar text,
      account text,
      account_key text,
      owner text,
      owner_key text,
      decision text,
      auto_renew smallint,
      expires_on text,
      expires_source text,
      expires_observed_at text,
      expires_conflict smallint,
      renewal_minor bigint,
      renewal_currency text,
      renewal_years integer,
      notes text)`,
    `create index import_rows_by_class on import_rows (staging, class, row_key)`,

    // No reference to imports: the history of a name outlives them.
    `alter table changes add column import_id text`,
  ],
};
