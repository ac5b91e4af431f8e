import type { Migration } from "../database.ts";

/** What viewers, and those who are invited as such, are limited to: a `Limit` as JSON, null for no limit. */
export const limits: Migration = {
  version: 49,
  name: "limits",
  statements: [
    `alter table users add column limited_to text`,
    `alter table invitations add column limited_to text`,
  ],
};
