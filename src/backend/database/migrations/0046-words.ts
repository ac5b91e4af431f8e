import type { SQL } from "bun";
import { isPostgres, type Migration } from "../database.ts";

const ADD = "insert into domain_words (rowid, words) values (new.rowid, new.words);";
/** FTS5 removes a row by its former values. */
const REMOVE = `insert into domain_words (domain_words, rowid, words)
  values ('delete', old.rowid, old.words);`;

/**
 * Names are sorted by `sort_name`, and searches compare `words`: `refoldDomains` fills both at the start.
 * Rows of a preview without words are planned again. What only an older version reads stays for a release:
 * the columns `notes_key`, and on SQLite the table `domain_search`, which is emptied.
 */
export const words: Migration = {
  version: 46,
  name: "words",
  statements: [
    `alter table import_rows add column words text`,
    `alter table import_rows add column sort_name text`,
    `delete from settings where name = 'status vocabulary'`,
  ],
  sqlite: [
    ...["add", "remove", "change"].map((event) => `drop trigger domain_search_${event}`),
    `insert into domain_search (domain_search) values ('delete-all')`,
    `alter table domains add column words text not null default ''`,
    `alter table domains add column sort_name text`,
    // Without positions, as a search compares the rows itself: a third of the size.
    `create virtual table domain_words using fts5(words, content = 'domains',
      content_rowid = 'rowid', detail = none, tokenize = 'trigram case_sensitive 1')`,
    // FTS5 counts its rows: none may be removed that was not added.
    `insert into domain_words (domain_words) values ('rebuild')`,
    ...[
      ["add", "insert on domains", ADD],
      ["remove", "delete on domains", REMOVE],
      ["change", "update of words on domains when old.words <> new.words", REMOVE + ADD],
    ].map(
      ([event, on, body]) => `create trigger domain_words_${event} after ${on} begin ${body} end`,
    ),
  ],
  postgres: [
    ...["add", "change"].flatMap((event) => [
      `drop trigger domain_search_${event} on domains`,
      `drop function domain_search_${event}`,
    ]),
    `drop index if exists domain_search_trigrams`,
    `truncate domain_search`,
    `alter table domains add column words text collate "C" not null default ''`,
    `alter table domains add column sort_name text collate "C"`,
    `create function domain_search_add() returns trigger language plpgsql as $$ begin
      insert into domain_search select id, words from added; return null; end $$`,
    `create trigger domain_search_add after insert on domains referencing new table as added
      for each statement execute function domain_search_add()`,
    `create function domain_search_change() returns trigger language plpgsql as $$ begin
      insert into domain_search values (new.id, new.words)
        on conflict (domain_id) do update set text = excluded.text;
      return null; end $$`,
    `create trigger domain_search_change after update on domains for each row
      when (old.words <> new.words) execute function domain_search_change()`,
  ],
  run: sortByNewName,
};

/** Puts `sort_name` in the place of the name in every index of `domains`, which keep their order. */
async function sortByNewName(sql: SQL): Promise<void> {
  const indexes = await sql<{ name: string; text: string }[]>`${
    isPostgres(sql)
      ? sql`select indexname as name, indexdef as text from pg_indexes
          where schemaname = current_schema() and tablename = 'domains'`
      : sql`select name, sql as text from sqlite_schema
          where tbl_name = 'domains' and type = 'index' and sql is not null order by rowid`
  }`;
  const sorted = indexes.filter(({ name, text }) => name !== "domains_name_key" && NAME.test(text));
  for (const { name } of sorted) await sql`drop index ${sql(name)}`;
  await sql`update domains set sort_name = name`;
  for (const { text } of sorted) await sql.unsafe(text.replace(NAME, "sort_name"));
  const how = isPostgres(sql) ? "with (deduplicate_items = off)" : "";
  await sql.unsafe(`create unique index domains_by_sort_name on domains (sort_name) ${how}`);
}

const NAME = /(?<=[(,] ?)name\b/;
