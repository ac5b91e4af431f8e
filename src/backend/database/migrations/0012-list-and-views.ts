import type { SQL } from "bun";
import { foldLabel } from "../../../shared/text.ts";
import type { Migration } from "./migration.ts";

/** Rows whose notes are folded at a time. */
const BATCH_SIZE = 500;

/**
 * What the list asks of a domain beside its fields: the earliest day that a source reports, which is
 * the day to act by, and the folded form of its notes, which a search looks through. Saved views, and
 * an index by which changes that were made at once are found and counted.
 */
export const listAndViews: Migration = {
  version: 12,
  name: "list and views",
  statements: [
    ...["domains", "import_rows"].flatMap((table) => [
      `alter table ${table} add column expires_earliest text`,
      `alter table ${table} add column notes_key text`,
      `update ${table} set expires_earliest = expires_on`,
    ]),
    // The latest report of each source; where a day was set by hand, only those that came after it.
    `update domains set expires_earliest = coalesce((
        select min(o.value) from observations o
        where o.domain_id = domains.id and o.kind = 'expires' and o.value is not null
          and (o.source = 'manual' or domains.expires_source <> 'manual'
            or o.observed_at > domains.expires_observed_at)
          and not exists (
            select 1 from observations later
            where later.domain_id = o.domain_id and later.kind = o.kind and later.source = o.source
              and (later.observed_at > o.observed_at
                or (later.observed_at = o.observed_at and later.id > o.id)))
      ), expires_on)
      where expires_conflict = 1`,
    `create table views (
      id text primary key,
      name text not null,
      name_key text not null unique,
      query text not null)`,
    `create index changes_by_time on changes (at, import_id, operation, id)`,
  ],
  async run(sql) {
    await foldNotes(sql, "domains");
    await foldNotes(sql, "import_rows");
  },
  sqlite: [
    `drop index domains_list`,
    `create index domains_list on domains (name, unicode, tld, registrar_key, account_key, owner_key,
      decision, auto_renew, expires_on, expires_earliest, expires_conflict, done_for, renewal_minor,
      renewal_currency, renewal_years, sold_on, sold_minor, created_at, updated_at, id)`,
    // A search reads the notes of those that have some, and no whole rows.
    `create index domains_notes on domains (id, notes_key) where notes_key is not null`,
  ],
};

async function foldNotes(sql: SQL, table: "domains" | "import_rows"): Promise<void> {
  for (let after = ""; ;) {
    const rows = await sql<{ id: string; notes: string }[]>`
      select id, notes from ${sql(table)} where id > ${after} and notes <> ''
      order by id limit ${BATCH_SIZE}`;
    for (const { id, notes } of rows) {
      await sql`update ${sql(table)} set notes_key = ${foldLabel(notes)} where id = ${id}`;
    }
    if (rows.length < BATCH_SIZE) return;
    after = rows.at(-1)?.id ?? "";
  }
}
