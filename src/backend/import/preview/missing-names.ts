import type { SQL } from "bun";
import { yieldToEventLoop, type Database } from "../../database/database.ts";
import { lookupPrefix } from "./staged-rows.ts";

/** Names that are looked at in one statement. */
const BATCH = 2000;

/** Which names are meant: those at a registrar that were there already and are in no staged row. */
export interface MissingFrom {
  registrarKey: string;
  staging: string;
  /** The time of the preview: what was added to the register later is not missing. */
  before: string;
}

/** How many names of the register are at the registrar of a file and not in it. */
export async function countMissing(database: Database, from: MissingFrom): Promise<number> {
  let missing = 0;
  for (let after: string | null = ""; after !== null;) {
    const batch = await database.read((sql) => countBatch(sql, from, after ?? ""));
    missing += batch.missing;
    after = batch.looked < BATCH ? null : batch.last;
    await yieldToEventLoop();
  }
  return missing;
}

async function countBatch(sql: SQL, { registrarKey, staging, before }: MissingFrom, after: string) {
  const [row] = await sql<{ looked: number; found: number; last: string | null }[]>`
    select cast(count(*) as integer) as looked, cast(count(r.lookup) as integer) as found,
      max(d.name) as last
    from (
      select name from domains
      where registrar_key = ${registrarKey} and name > ${after} and created_at <= ${before}
      order by name limit ${BATCH}) d
    left join import_rows r on r.lookup = ${lookupPrefix(staging)} || d.name`;
  const { looked = 0, found = 0, last = null } = row ?? {};
  return { looked, missing: looked - found, last };
}

/** Names that are missing, after the name `after`, in their order. */
export async function listMissing(
  sql: SQL,
  { registrarKey, staging, before }: MissingFrom,
  { after, limit }: { after: string; limit: number },
): Promise<{ name: string; unicode: string }[]> {
  return sql<{ name: string; unicode: string }[]>`
    select name, unicode from domains d
    where registrar_key = ${registrarKey} and name > ${after} and created_at <= ${before}
      and not exists (
        select 1 from import_rows r where r.lookup = ${lookupPrefix(staging)} || d.name)
    order by name limit ${limit}`;
}
