import type { SQL } from "bun";
import { isPostgres, type Migration } from "../database.ts";

/** The tables of what is known of current domains alone. */
const CHECKED = ["checks", "findings", "sightings"];

const forget = CHECKED.map((table) => `delete from ${table} where domain_id = new.id;`).join(" ");

const isArchived = "old.archived_on is null and new.archived_on is not null";

/** The day since which a domain is archived: then it is not checked any more. */
export const archive: Migration = {
  version: 48,
  name: "archive",
  statements: [`alter table import_rows add column archived_on text`],
  sqlite: [
    `alter table domains add column archived_on text`,
    `create trigger domains_archived after update of archived_on on domains when ${isArchived}
      begin ${forget} end`,
  ],
  postgres: [
    // As all texts are once migrations have run: the column of a trigger cannot be changed then.
    `alter table domains add column archived_on text collate "C"`,
    `create function forget_checks() returns trigger language plpgsql as $$ begin
      ${forget} return null; end $$`,
    `create trigger domains_archived after update on domains for each row when (${isArchived})
      execute function forget_checks()`,
  ],
  run: addToIndexes,
};

/**
 * Puts `archived_on` behind the columns of every index, which so tells what is current without a look at its
 * rows. One has what is archived. That of the names cannot be unique then: SQLite has another one, by which it
 * knows that few names are few rows.
 */
async function addToIndexes(sql: SQL): Promise<void> {
  const indexes = await sql<{ name: string; text: string }[]>`${
    isPostgres(sql)
      ? sql`select indexname as name, indexdef as text from pg_indexes
          where schemaname = current_schema() and tablename = 'domains'
            and indexname not in ('domains_pkey', 'domains_name_key') order by indexname`
      : sql`select name, sql as text from sqlite_schema
          where tbl_name = 'domains' and type = 'index' and sql is not null order by rowid`
  }`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  for (const { text } of indexes) {
    await sql.unsafe(text.replace(/ unique/i, "").replace(/\(([^()]+)\)/, "($1, archived_on)"));
  }
  if (!isPostgres(sql)) await sql`create unique index domains_sort_name on domains (sort_name)`;
  const how = isPostgres(sql) ? "with (deduplicate_items = off)" : "";
  await sql.unsafe(`create index domains_archived on domains (archived_on, id) ${how}
    where archived_on is not null`);
}
