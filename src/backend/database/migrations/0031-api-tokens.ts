import type { Migration } from "../database.ts";

/** Tokens that scripts call the API with; `hash` is the SHA-256 of the whole token. */
export const apiTokens: Migration = {
  version: 31,
  name: "API tokens",
  statements: [
    `create table api_tokens (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      name text not null,
      scope text not null check (scope in ('read', 'write')),
      hash text not null unique,
      created_at text not null,
      expires_at text not null,
      last_used_at text)`,
    `create index api_tokens_by_user on api_tokens (user_id)`,
  ],
};
