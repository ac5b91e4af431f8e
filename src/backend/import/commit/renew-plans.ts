import type { SQL } from "bun";
import type { ImportCounts } from "../../../shared/import-contract.ts";
import type { DomainName } from "../../domains/domain-name.ts";
import type { Statements } from "../../database/run-all.ts";
import { statement } from "../../database/statement.ts";
import { takeTurns } from "../../database/take-turns.ts";
import type { ImportRow } from "../reading/import-row.ts";
import { planRows } from "../preview/plan-rows.ts";
import type { PlannedRow } from "../preview/plan-row.ts";
import { addedTags, insertStaged } from "../preview/staged-rows.ts";
import type { AddedTags } from "./copy-tags.ts";
import type { RowRange } from "./row-range.ts";

interface StaleRow extends DomainName {
  id: string;
  row_key: string;
  line: number;
  class: PlannedRow["class"];
  said: string;
  problems: string;
}

/** Rows that are planned at a time. */
const BATCH = 500;

/**
 * Compares those rows of a range with the register once more whose domain has come, gone or changed
 * since they were staged, moves them from class to class in `counts`, and adds to `fields` what they
 * change. Returns the tags that they add now, by the ids of the rows.
 */
export async function* renewPlans(
  sql: SQL,
  range: RowRange,
  { own, counts, fields }: { own: boolean; counts: ImportCounts; fields: Set<string> | null },
): Statements<Map<string, AddedTags>> {
  const renewed = new Map<string, AddedTags>();
  for await (const stale of listStale(sql, range)) {
    const planned = await planRows(sql, stale.map(toImportRow), own);
    await takeTurns();
    yield statement`delete from import_rows where id in ${stale.map(({ id }) => id)}`;
    const rows = planned.map((row, index) => ({ key: stale[index]?.row_key ?? "", row }));
    yield insertStaged(range.staging, rows);
    for (const [index, row] of planned.entries()) {
      const { target } = row;
      const tags = target === null ? [] : addedTags(target);
      renewed.set(stale[index]?.id ?? "", { domainId: target?.after.id ?? "", tags });
      counts[row.class] += 1;
      if (row.class === "changed") for (const { field } of row.changes) fields?.add(field);
    }
    for (const row of stale) counts[row.class] -= 1;
  }
  return renewed;
}

/** The rows of a range whose domain is not what they were compared with, some at a time. */
async function* listStale(
  sql: SQL,
  { from, to }: RowRange,
): AsyncGenerator<StaleRow[], void, undefined> {
  const rows = await sql<StaleRow[]>`
    select r.id, r.row_key, r.line, r.class, r.said, r.problems, r.name, r.unicode, r.tld
    from import_rows r left join domains d on d.name = r.name
    where r.lookup > ${from} and r.lookup <= ${to} and (
      (r.class = 'new' and d.id is not null) or (r.class in ('changed', 'same') and (
        d.id is null or d.id <> r.domain_id or d.version <> r.base_version)))
    order by r.lookup`;
  await takeTurns();
  for (let start = 0; start < rows.length; start += BATCH) yield rows.slice(start, start + BATCH);
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
