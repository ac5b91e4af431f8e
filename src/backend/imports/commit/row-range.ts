import { rowId, rowKey } from "../preview/staged-rows.ts";

/** Staged rows by their numbers in the file, from `after`, exclusive, to `last`. */
export interface RowRange {
  staging: string;
  after: number;
  last: number;
  /** The ids of these two. */
  from: string;
  to: string;
}

export function rowRange(staging: string, after: number, last: number): RowRange {
  const [from, to] = [rowId(staging, rowKey(after)), rowId(staging, rowKey(last))];
  return { staging, after, last, from, to };
}

/** The same rows in ranges of `size`. */
export function* splitRange({ staging, after, last }: RowRange, size: number): Generator<RowRange> {
  for (let at = after; at < last; at += size) {
    yield rowRange(staging, at, Math.min(at + size, last));
  }
}
