import type { Migration } from "../database.ts";

/**
 * What the evaluation of reminders asks every few seconds takes a look into an index: which domains
 * that somebody wants expire soon, and when people and imports changed something. Its state names
 * instants; one that was about to take everything for crossed before begins anew.
 */
export const reminderNews: Migration = {
  version: 24,
  name: "reminder news",
  statements: [
    `create index domains_wanted on domains (expires_earliest, auto_renew, id)
      where sold_on is null and sold_minor is null and coalesce(decision, '') <> 'drop'`,
    `create index changes_made on changes (at) where (operation is not null or import_id is not null)`,
    `delete from settings where name = 'reminders state' and value like '%"baseline":true%'`,
    // JSON, of what only some kinds of channels have.
    `alter table channels add column config text not null default '{}'`,
    `update channels set config = '{"secret":"' || secret || '"'
        || coalesce(',"previousSecret":"' || previous_secret || '","rotatedAt":"' || rotated_at || '"', '')
        || '}'
      where secret is not null`,
    `alter table channels drop column secret`,
    `alter table channels drop column previous_secret`,
    `alter table channels drop column rotated_at`,
  ],
  // As every index of domains: see the baseline.
  postgres: [`alter index domains_wanted set (deduplicate_items = off)`],
};
