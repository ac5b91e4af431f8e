import type { Migration } from "./migration.ts";

/** Where and when a session was last used, for the list of a person's sessions. */
export const sessionList: Migration = {
  version: 8,
  name: "session list",
  statements: [
    `alter table sessions add column last_seen_at text not null default ''`,
    `alter table sessions add column address text not null default ''`,
    `alter table sessions add column user_agent text not null default ''`,
    `update sessions set last_seen_at = created_at`,
    `create index sessions_by_user on sessions (user_id)`,
  ],
};
