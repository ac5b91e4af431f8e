import type { Migration } from "../database.ts";

/** What a search looks into, but for tags, which are few. */
const COLUMNS = "name unicode registrar_key account_key owner_key notes_key custom_key".split(" ");

const of = (row: "old" | "new") => COLUMNS.map((column) => `${row}.${column}`).join(", ");
const INTO = `insert into domain_search (rowid, ${COLUMNS.join(", ")})`;
const ADD = `${INTO} values (new.rowid, ${of("new")});`;
// FTS5 forgets a row by what it was.
const REMOVE = `${INTO.replace("(", "(domain_search, ")} values ('delete', old.rowid, ${of("old")});`;

/**
 * The trigrams of each domain on SQLite, which triggers keep. Only of which rows they are, as a search
 * compares those itself: a third of the size of an index with positions. Postgres gets its index at
 * each start that finds none, as the extension may be allowed later.
 */
export const search: Migration = {
  version: 36,
  name: "search",
  statements: [],
  sqlite: [
    `drop index domains_notes`,
    `create virtual table domain_search using fts5(${COLUMNS.join(", ")}, content = 'domains',
      content_rowid = 'rowid', detail = none, tokenize = 'trigram case_sensitive 1')`,
    `insert into domain_search (domain_search) values ('rebuild')`,
    `create trigger domain_search_add after insert on domains begin ${ADD} end`,
    `create trigger domain_search_remove after delete on domains begin ${REMOVE} end`,
    `create trigger domain_search_change after update of ${COLUMNS.join(", ")} on domains
      when (${of("old")}) is not (${of("new")}) begin ${REMOVE} ${ADD} end`,
  ],
};
