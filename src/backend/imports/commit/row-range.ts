import { rowId, rowKey } from "../preview/staged-rows.ts";

/** Staged rows by their ids, from one, exclusive, to another. */
export interface RowRange {
  from: string;
  to: string;
}

/** The rows of a staging in the order of the file, `size` of them at a time. */
export function* rowRanges(staging: string, rows: number, size: number): Generator<RowRange> {
  for (let row = 0; row < rows; row += size) {
    yield { from: rowId(staging, rowKey(row)), to: rowId(staging, rowKey(row + size)) };
  }
}
