import type { SQL } from "bun";
import { foldLabel } from "../../../shared/text.ts";
import { insertRows, type SqlRow } from "../../database/bulk-rows.ts";
import { domainColumns, FIELD_COLUMNS, toColumns } from "../../domains/columns.ts";
import { AT_COMMIT, type PlannedRow, type Target } from "./plan-row.ts";

/** The number of a row in a file as its key: text that sorts as the number does. */
export function rowKey(number: number): string {
  return String(number).padStart(12, "0");
}

/** The id of a staged row. */
export function rowId(staging: string, key: string): string {
  return `${staging}.${key}`;
}

/** What stands before the name in `lookup`; by itself, it comes before all of a staging. */
export function lookupPrefix(staging: string): string {
  return `${staging} `;
}

/** What comes behind every `lookup` of a staging: "!" is next to the space. */
export function lookupEnd(staging: string): string {
  return `${staging}!`;
}

/** Inserts planned rows. */
export async function insertStaged(
  sql: SQL,
  staging: string,
  rows: readonly { key: string; row: PlannedRow }[],
): Promise<void> {
  const records = rows.map(({ key, row }) => ({
    id: rowId(staging, key),
    lookup: row.target === null ? null : lookupPrefix(staging) + row.target.after.name,
    staging,
    row_key: key,
    ...columnsOf(row),
  }));
  await insertRows(sql, "import_rows", records);
}

/** Columns that only a row with a target fills; each row of one insert has the same columns. */
const NO_TARGET: SqlRow = Object.fromEntries(
  [
    "domain_id",
    "base_version",
    "observed_day",
    "observed_source",
    "added_tags",
    "registrar",
    ...FIELD_COLUMNS,
  ].map((column) => [column, null]),
);

function columnsOf(row: PlannedRow): SqlRow {
  const { name, target } = row;
  return {
    line: row.line,
    class: row.class,
    repeats: row.repeats,
    said: JSON.stringify(row.values),
    problems: JSON.stringify(row.problems),
    changes: JSON.stringify(row.changes),
    ...NO_TARGET,
    ...(name !== null && toColumns({ name })),
    ...(target !== null && targetColumns(target)),
  };
}

function targetColumns(target: Target): SqlRow {
  const { baseVersion, after, observation } = target;
  const tags = addedTags(target);
  const columns = domainColumns(after);
  const isAtCommit = after.expires?.observedAt === AT_COMMIT;
  return {
    domain_id: after.id,
    base_version: baseVersion,
    observed_day: observation?.day ?? null,
    observed_source: observation?.source ?? null,
    added_tags: tags.length === 0 ? null : JSON.stringify(tags),
    registrar: after.registrar,
    ...columns,
    ...(isAtCommit && { expires_observed_at: null }),
  };
}

/** The tags that a row adds, as pairs of folded form and spelling. */
export function addedTags({ addedTags: keys, after }: Target): [string, string][] {
  if (keys.length === 0) return [];
  return after.tags.flatMap((tag) =>
    keys.includes(foldLabel(tag)) ? [[foldLabel(tag), tag]] : [],
  );
}
