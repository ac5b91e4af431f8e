import type { ImportColumn } from "../../shared/import-contract.ts";

/** What a column is called: its header or, where there is none, its place counted from 1. */
export function columnName(column: ImportColumn | undefined, index: number): string {
  return column?.header?.trim() || `Column ${index + 1}`;
}
