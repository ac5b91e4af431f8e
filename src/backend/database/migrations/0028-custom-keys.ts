import type { SQL } from "bun";
import { isRecord } from "../../../shared/parse.ts";
import { customKey } from "../../../shared/text.ts";
import { updateRows } from "../bulk-rows.ts";
import type { Migration } from "../database.ts";

const BATCH_SIZE = 1000;

/** Custom fields are searched and filtered by their folded form, as notes are. */
export const customKeys: Migration = {
  version: 28,
  name: "custom keys",
  statements: [
    `alter table domains add column custom_key text`,
    `alter table import_rows add column custom_key text`,
  ],
  // As for notes: a search reads no whole rows.
  sqlite: [`create index domains_custom on domains (id, custom_key) where custom_key is not null`],
  async run(sql) {
    for (const table of ["domains", "import_rows"]) await foldRows(sql, table);
  },
};

async function foldRows(sql: SQL, table: string): Promise<void> {
  for (let from: string | undefined = ""; from !== undefined;) {
    const rows: { id: string; custom: string }[] = await sql`
      select id, custom from ${sql(table)} where custom is not null and id > ${from}
      order by id limit ${BATCH_SIZE}`;
    const folded = rows.map(({ id, custom }) => ({ id, custom_key: customKey(textsOf(custom)) }));
    await updateRows(sql, table, folded);
    from = rows.at(-1)?.id;
  }
}

function textsOf(custom: string): Record<string, string> {
  const json: unknown = JSON.parse(custom);
  const entries = isRecord(json) ? Object.entries(json) : [];
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
}
