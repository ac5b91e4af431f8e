import type { SQL } from "bun";
import type { ImportCounts } from "../../../shared/import.ts";
import { insertRows } from "../../database/bulk-rows.ts";
import type { DomainName } from "../../domains/domain-name.ts";
import type { ImportedFile, PlannedRow } from "../preview/plan-row.ts";
import { planRows } from "../preview/plan-rows.ts";
import { addedTags, toRecords } from "../preview/preview-rows.ts";
import type { FileRow } from "../reading/parse-row.ts";
import type { AddedTags, RowRange } from "./copy-rows.ts";

/** Rows that are planned at a time. */
const BATCH_ROWS = 500;

type StaleRow = DomainName & {
  id: string;
  row_key: string;
  line: number;
  class: PlannedRow["class"];
  said: string;
  problems: string;
};

/**
 * Compares those rows of a range with the register again whose domain was added, changed or deleted
 * since the preview, and moves them from class to class in `counts`. Returns the tags that they add
 * now, by the ids of the rows.
 */
export async function revalidate(
  sql: SQL,
  range: RowRange,
  file: ImportedFile,
  counts: ImportCounts,
): Promise<Map<string, AddedTags>> {
  const revalidated = new Map<string, AddedTags>();
  const rows = await listStale(sql, range);
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const stale = rows.slice(start, start + BATCH_ROWS);
    const planned = await planRows(sql, stale.map(toFileRow), file);
    await sql`delete from import_rows where id in ${sql(stale.map(({ id }) => id))}`;
    const pairs = stale.flatMap((row, index) => {
      const plan = planned[index];
      return plan === undefined ? [] : [{ key: row.row_key, id: row.id, row: plan }];
    });
    await insertRows(sql, "import_rows", toRecords(range.rowsId, pairs));
    for (const { id, row } of pairs) {
      const { target } = row;
      const tags = target === null ? [] : addedTags(target);
      revalidated.set(id, { domainId: target?.after.id ?? "", tags });
      counts[row.class] += 1;
    }
    for (const row of stale) counts[row.class] -= 1;
  }
  return revalidated;
}

async function listStale(sql: SQL, { from, to }: RowRange): Promise<StaleRow[]> {
  const rows = await sql<StaleRow[]>`
    select r.id, r.row_key, r.line, r.class, r.said, r.problems, r.name, r.unicode, r.tld
    from import_rows r left join domains d on d.name = r.name
    where r.lookup > ${from} and r.lookup <= ${to} and (
      (r.class = 'new' and d.id is not null) or (r.class in ('changed', 'same') and (
        d.id is null or d.id <> r.domain_id or d.version <> r.base_version)))
    order by r.lookup`;
  return [...rows];
}

function toFileRow(row: StaleRow): FileRow {
  const { line, name, unicode, tld } = row;
  return {
    line,
    name: { name, unicode, tld },
    values: JSON.parse(row.said),
    problems: JSON.parse(row.problems),
    repeats: null,
  };
}
