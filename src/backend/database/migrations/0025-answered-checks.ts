import type { Migration } from "../database.ts";

/** When a check was answered last: an attempt that fails says nothing of what was known. */
export const answeredChecks: Migration = {
  version: 25,
  name: "answered checks",
  statements: [
    `alter table checks add column answered_at text`,
    `update checks set answered_at = checked_at
      where outcome in ('ok', 'absent', 'withheld', 'not-found')`,
  ],
};
