import type { Migration } from "../database.ts";

/** The roles of accounts, least first. */
const ROLE = "role text not null check (role in ('viewer', 'editor', 'owner'))";

/**
 * What refers to the new `users`. A calendar ends with the account of whose it is: so far, the only one.
 *
 * A code of 256 bits, of which only the hash is here. Of a link for a new password `user_id` is whose
 * it is; null for that of the command on the machine, which any owner may use.
 */
const REFERRING = [
  `create table invitations (
    id text primary key,
    kind text not null check (kind in ('invitation', 'reset')),
    code_hash text not null unique,
    email text,
    role text,
    user_id text references users (id) on delete cascade,
    made_by text,
    made_by_name text not null,
    created_at text not null,
    expires_at text not null)`,
  `create index invitations_by_expiry on invitations (expires_at)`,
  `alter table calendars add column user_id text references users (id) on delete cascade`,
  `update calendars set user_id = (select min(id) from users)`,
  `alter table calendars drop column created_by`,
];

/**
 * Several people with roles instead of one owner. What a person uploaded and imported outlives the
 * account: the register's history and its undo refer to it.
 *
 * SQLite drops no column with a constraint and changes no reference, so it gets new tables. Those
 * that refer to `users` move before the old one is dropped, which would delete their rows.
 */
export const people: Migration = {
  version: 29,
  name: "people",
  statements: [
    ...[
      ["changes", "made_by"],
      ["handled", "made_by"],
      ["bin", "deleted_by"],
    ].flatMap(([table, column]) => [
      `alter table ${table} rename column ${column} to ${column}_name`,
      `alter table ${table} add column ${column} text`,
      `update ${table} set ${column} = (select id from users where email = ${column}_name)
        where ${column}_name in (select email from users)`,
    ]),

    // No reference to users: entries outlive accounts, and say the name of their time.
    `create table audit (
      id text primary key,
      at text not null,
      address text,
      action text not null,
      by_id text,
      by_name text,
      token_id text,
      token_name text,
      subject text,
      detail text)`,
    `create index audit_by_action on audit (action, at)`,
    `create index audit_by_time on audit (at)`,
  ],
  sqlite: [
    `alter table users rename to old_users`,
    `create table users (
      id text primary key,
      email text not null unique,
      password text,
      name text,
      ${ROLE},
      disabled smallint not null default 0 check (disabled in (0, 1)),
      created_at text not null)`,
    `insert into users (id, email, password, role, created_at)
      select id, email, password, case when owner = 1 then 'owner' else 'viewer' end, created_at
      from old_users`,

    `create table new_sessions (
      id_hash text primary key,
      user_id text not null references users (id) on delete cascade,
      created_at text not null,
      expires_at text not null,
      last_seen_at text not null default '',
      address text not null default '',
      user_agent text not null default '')`,
    `insert into new_sessions select * from sessions`,
    `drop table sessions`,
    `alter table new_sessions rename to sessions`,
    `create index sessions_by_expiry on sessions (expires_at)`,
    `create index sessions_by_user on sessions (user_id)`,

    `create table new_uploads (
      id text primary key,
      user_id text references users (id) on delete set null,
      name text not null,
      bytes bigint not null,
      sha256 text not null,
      created_at text not null,
      expires_at text not null)`,
    `insert into new_uploads select * from uploads`,
    `drop table uploads`,
    `alter table new_uploads rename to uploads`,
    `create index uploads_by_expiry on uploads (expires_at)`,

    `create table new_imports (
      id text primary key,
      user_id text references users (id) on delete set null,
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
    `insert into new_imports select * from imports`,
    `drop table imports`,
    `alter table new_imports rename to imports`,
    `create index imports_by_state on imports (state, previewed_at)`,

    `drop table old_users`,
    ...REFERRING,
  ],
  postgres: [
    `alter table users add column name text`,
    `alter table users add column ${ROLE.replace("not null", "not null default 'viewer'")}`,
    `alter table users add column disabled smallint not null default 0 check (disabled in (0, 1))`,
    `update users set role = 'owner' where owner = 1`,
    `alter table users alter column role drop default`,
    `alter table users alter column password drop not null`,
    `alter table users drop column owner`,
    ...["uploads", "imports"].flatMap((table) => [
      `alter table ${table} alter column user_id drop not null`,
      `alter table ${table} drop constraint ${table}_user_id_fkey`,
      `alter table ${table} add constraint ${table}_user_id_fkey
        foreign key (user_id) references users (id) on delete set null`,
    ]),
    ...REFERRING,
  ],
};
