import type { SQL } from "bun";
import type { ImportCounts } from "../../../import-contract.ts";
import type { DomainName } from "../../register/domain-name.ts";
import type { ImportRow } from "../import-row.ts";
import { planRows } from "../preview/plan-rows.ts";
import type { PlannedRow } from "../preview/plan-row.ts";
import { insertStaged } from "../preview/staged-rows.ts";
import type { RowRange } from "./copy-rows.ts";

interface StaleRow extends DomainName {
  id: string;
  row_key: string;
  line: number;
  class: PlannedRow["class"];
  said: string;
  problems: string;
}

/**
 * Compares those rows of a range with the register once more whose domain has come, gone or changed
 * since they were staged, and moves them from class to class in `counts`. Inside a transaction.
 */
export async function renewPlans(
  sql: SQL,
  range: RowRange,
  { staging, own, counts }: { staging: string; own: boolean; counts: ImportCounts },
): Promise<void> {
  const stale = await listStale(sql, range);
  if (stale.length === 0) return;
  const ids = stale.map(({ id }) => id);
  await sql`delete from import_rows where id in ${sql(ids)}`;
  const planned = await planRows(sql, stale.map(toImportRow), own);
  const rows = planned.map((row, index) => ({ key: stale[index]?.row_key ?? "", row }));
  await insertStaged(sql, staging, rows);
  for (const row of stale) counts[row.class] -= 1;
  for (const row of planned) counts[row.class] += 1;
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

function toImportRow(row: StaleRow): ImportRow {
  const { line, name, unicode, tld } = row;
  return {
    line,
    name: { name, unicode, tld },
    values: JSON.parse(row.said),
    blank: [],
    problems: JSON.parse(row.problems),
    repeats: null,
  };
}
