import type { Migration } from "../database.ts";

/**
 * What names the source of an account never changes: its id, or for one of before, the label that it had
 * now (`source_key`), as millions of reports may have it. `former_accounts` has what accounts were called
 * that are gone, though not their reports. A change tells which reports came and went with it, so that its
 * undo leaves them as they were; a day set by hand had the time of its change. `base_reports` is how many
 * reports a row was compared with.
 */
export const stableSources: Migration = {
  version: 41,
  name: "stable sources",
  statements: [
    `alter table registrar_accounts add column source_key text`,
    `update registrar_accounts set source_key = label`,
    `create table former_accounts (source text primary key, label text not null)`,
    `alter table import_rows add column base_reports integer`,
    `alter table changes add column reports text`,
    `update changes set reports = '{"added":["' || o.id || '"],"removed":[]}' from observations o
      where o.source = 'manual' and o.kind = 'expires' and o.id <> changes.id
        and changes.domain_id = o.domain_id and changes.at = o.observed_at`,
  ],
};
