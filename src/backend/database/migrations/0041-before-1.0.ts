import type { Migration } from "../database.ts";
import { words } from "./0046-words.ts";
import { archive } from "./0048-archive.ts";

/** What came between the baseline and version 1.0. */
export const beforeRelease: readonly Migration[] = [
  /**
   * What names the source of an account never changes: its id, or for one of before, the label that it had
   * now (`source_key`), as millions of reports may have it. `former_accounts` has what accounts were called
   * that are gone, though not their reports. A change tells which reports came and went with it, so that its
   * undo leaves them as they were; a day set by hand had the time of its change. `base_reports` is how many
   * reports a row was compared with.
   */
  {
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
  },
  /** The operations that brought lists of names: see `markNoNews`. Reminders looked at imports alone. */
  {
    version: 42,
    name: "no news",
    statements: [
      `create table no_news (operation text primary key, at text not null)`,
      `insert into no_news select id, committed_at from imports where committed_at is not null`,
      `update settings set value = replace(value, '"importsSeen":', '"noNewsSeen":')
        where name = 'reminders state'`,
    ],
  },
  /** A person is taken out of all previews before they are deleted: few rows of many name one. */
  {
    version: 43,
    name: "previews by person",
    statements: [
      `create index import_rows_by_person on import_rows (person_id) where person_id is not null`,
    ],
  },
  /** The fields, separated by commas, in which a row has another value than a person set by hand. */
  {
    version: 44,
    name: "set by hand",
    statements: [
      `alter table import_rows add column by_hand text`,
      `create index import_rows_by_hand on import_rows (lookup) where by_hand is not null`,
    ],
  },
  /**
   * Tells Postgres that a domain has some two reports, whatever it counts: if it counted those of one domain
   * last, it would read all for each name of an import.
   */
  {
    version: 45,
    name: "renewals by index",
    statements: [],
    postgres: [`alter table observations alter column domain_id set (n_distinct = -0.5)`],
  },
  words,
  /** Which operation undid which; `redo`: what it undid was an undo. */
  {
    version: 47,
    name: "undos",
    statements: [
      `create table undos (
        undoes text not null,
        operation text not null,
        redo integer not null,
        primary key (undoes, operation))`,
      `create index undos_operation on undos (operation)`,
    ],
  },
  archive,
  /** What viewers, and those who are invited as such, are limited to: a `Limit` as JSON, null for no limit. */
  {
    version: 49,
    name: "limits",
    statements: [
      `alter table users add column limited_to text`,
      `alter table invitations add column limited_to text`,
    ],
  },
  /** By it the next check is found, however many are due: the other index holds all that are, unsorted. */
  {
    version: 50,
    name: "checks in turn",
    statements: ["create index checks_in_turn on checks (queue, priority, due_at)"],
  },
];
