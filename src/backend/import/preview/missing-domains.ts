import type { SQL } from "bun";
import type { Database } from "../../database/database.ts";
import { yieldToEventLoop } from "../../event-loop.ts";
import { lookupsOf } from "./preview-rows.ts";

/** Domains that one statement looks at. */
const MAX_COUNTED_DOMAINS = 2000;

/** Selects the domains at a registrar that are in no row of a preview. */
interface MissingFrom {
  registrarKey: string;
  rowsId: string;
  /** The time of the preview: a domain that was added later is not missing. */
  before: string;
}

/** How many domains of the register are at the registrar of a file, but not in it. */
export async function countMissing(database: Database, from: MissingFrom): Promise<number> {
  let missing = 0;
  for (let after: string | null = ""; after !== null;) {
    const batch = await database.read((sql) => countBatch(sql, from, after ?? ""));
    missing += batch.missing;
    after = batch.looked < MAX_COUNTED_DOMAINS ? null : batch.last;
    await yieldToEventLoop();
  }
  return missing;
}

async function countBatch(sql: SQL, { registrarKey, rowsId, before }: MissingFrom, after: string) {
  const [row] = await sql<{ looked: number; found: number; last: string | null }[]>`
    select cast(count(*) as integer) as looked, cast(count(r.lookup) as integer) as found,
      max(d.name) as last
    from (
      select name from domains
      where registrar_key = ${registrarKey} and name > ${after} and created_at <= ${before}
      order by name limit ${MAX_COUNTED_DOMAINS}) d
    left join import_rows r on r.lookup in ${lookupsOf(sql, rowsId)}`;
  const { looked = 0, found = 0, last = null } = row ?? {};
  return { looked, missing: looked - found, last };
}

/** Missing domains by name, those after `after`. */
export async function listMissing(
  sql: SQL,
  { registrarKey, rowsId, before }: MissingFrom,
  { after, limit }: { after: string; limit: number },
): Promise<{ name: string; unicode: string }[]> {
  return sql<{ name: string; unicode: string }[]>`
    select name, unicode from domains d
    where registrar_key = ${registrarKey} and name > ${after} and created_at <= ${before}
      and not exists (
        select 1 from import_rows r where r.lookup in ${lookupsOf(sql, rowsId)})
    order by name limit ${limit}`;
}
