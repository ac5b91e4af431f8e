import * as p from "../../../shared/parse.ts";
import { FOLDING } from "../../../shared/search.ts";
import { updateRows } from "../../database/bulk-rows.ts";
import type { Database } from "../../database/database.ts";
import { readSetting, saveSetting } from "../../database/setting-store.ts";
import { type Columns, toColumns } from "../columns.ts";
import { readFields } from "../list/read-domains.ts";
import { searchWords } from "../list/search.ts";
import { VOCABULARY } from "../registrar-status.ts";

const BATCH_SIZE = 1000;

/** The setting that names what the stored columns were folded by. */
const FOLDED_BY = "folded by";

/**
 * Folds all domains again, in batches, when another version did it last: after a migration or a restore,
 * or as words of statuses were added. Rows of previews are planned again when they are committed.
 */
export async function refoldDomains(database: Database): Promise<void> {
  const folding = `${FOLDING} ${VOCABULARY}`;
  if ((await database.read((sql) => readSetting(sql, FOLDED_BY, p.text))) === folding) return;
  for (let after: string | undefined = ""; after !== undefined;) {
    const last: string = after;
    after = await database.write(async (sql) => {
      const stored = await sql<(Columns & { id: string })[]>`
        select id, words, sort_name, status_key, custom_key from domains
        where id > ${last} order by id limit ${BATCH_SIZE}`;
      const ids = stored.map(({ id }) => id);
      const read = await readFields(sql, "id", ids);
      const folded = new Map(
        read.map((each) => [each.id, { ...toColumns(each), words: searchWords(each) }]),
      );
      // SQLite writes each index that has a column of an update, whether its value differs or not.
      for (const columns of [["words"], ["sort_name", "status_key", "custom_key"]] as const) {
        const rows = stored.flatMap((before) => {
          const now: Columns = folded.get(before.id) ?? before;
          if (columns.every((column) => now[column] === before[column])) return [];
          const changed = Object.fromEntries(columns.map((each) => [each, now[each] ?? null]));
          return Object.assign(changed, { id: before.id });
        });
        await updateRows(sql, "domains", rows);
      }
      return ids.at(-1);
    });
  }
  await database.write(async (sql) => {
    await sql`update import_rows set words = null`;
    await saveSetting(sql, FOLDED_BY, folding);
  });
}
