import type { SQL } from "bun";
import { lookupEnd } from "../preview/staged-rows.ts";

/**
 * Staged rows that are the first with their names, in the order of the names, as that is how they lie
 * in most indexes: those with a `lookup` after `from` up to `to`.
 */
export interface RowRange {
  staging: string;
  from: string;
  to: string;
}

/** The next `size` rows after `from`, up to `end`; `last` where there are no more. */
export async function nextRange(
  sql: SQL,
  { staging, from, end = lookupEnd(staging) }: Omit<RowRange, "to"> & { end?: string },
  size: number,
): Promise<RowRange & { last: boolean }> {
  const [row] = await sql<{ rows: number; to: string | null }[]>`
    select cast(count(*) as integer) as rows, max(lookup) as "to" from (
      select lookup from import_rows where lookup > ${from} and lookup <= ${end}
      order by lookup limit ${size}) r`;
  return { staging, from, to: row?.to ?? from, last: (row?.rows ?? 0) < size };
}
