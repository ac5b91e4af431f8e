import type { Migration } from "../database.ts";

/** The operations that brought lists of names: see `markNoNews`. Reminders looked at imports alone. */
export const noNews: Migration = {
  version: 42,
  name: "no news",
  statements: [
    `create table no_news (operation text primary key, at text not null)`,
    `insert into no_news select id, committed_at from imports where committed_at is not null`,
    `update settings set value = replace(value, '"importsSeen":', '"noNewsSeen":')
      where name = 'reminders state'`,
  ],
};
