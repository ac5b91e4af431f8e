import type { Migration } from "../database.ts";

/** Authenticator apps, passkeys, accounts at an OIDC issuer, and sign-ins that are half done. */
export const factors: Migration = {
  version: 32,
  name: "factors",
  statements: [
    // `secret` is encrypted where there is a key; `last_step` is the newest one that was used.
    `create table totp (
      user_id text primary key references users (id) on delete cascade,
      secret text not null,
      confirmed_at text,
      last_step bigint not null default 0)`,
    `create table recovery_codes (
      user_id text not null references users (id) on delete cascade,
      code_hash text not null,
      primary key (user_id, code_hash))`,

    `create table passkeys (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      credential_id text not null unique,
      public_key text not null,
      counter bigint not null,
      name text not null,
      created_at text not null,
      last_used_at text)`,
    `create index passkeys_by_user on passkeys (user_id)`,

    `create table identities (
      issuer text not null,
      subject text not null,
      user_id text not null references users (id) on delete cascade,
      created_at text not null,
      signed_in_at text,
      primary key (issuer, subject))`,
    `create index identities_by_user on identities (user_id)`,

    // One of each kind in a browser's session. `source`: the subscriber whose request began it.
    `create table challenges (
      session_hash text not null,
      kind text not null,
      user_id text references users (id) on delete cascade,
      value text not null,
      source text not null,
      expires_at text not null,
      primary key (session_hash, kind))`,
    `create index challenges_by_source on challenges (source)`,
    `create index challenges_by_expiry on challenges (expires_at)`,
  ],
};
