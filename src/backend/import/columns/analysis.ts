import type { ImportDefaults, ImportQuestion } from "../../../shared/import-contract.ts";
import type { ColumnKind } from "./column-profile.ts";
import type { DateReading } from "../values/date-reading.ts";
import type { Mapping } from "./field.ts";
import type { MoneyReading } from "../values/money.ts";
import type { TableCounts, TableSource } from "../reading/read-table.ts";

/** What was found out about one column. */
export interface ColumnAnalysis {
  header: string | null;
  /** Never read, never shown; it cannot be mapped. */
  secret: boolean;
  kind: ColumnKind;
  /** Up to five different cells of at most 80 characters. */
  samples: string[];
  /** How its dates are read; null: it has not been looked at as dates. */
  dates: DateReading | null;
  money: MoneyReading | null;
  /** The currency that its header names. */
  currency: string | null;
}

/**
 * Everything that reading a file's rows takes, and what a person is shown first. Plain JSON: it can
 * be stored, and serves `readRows` unchanged. `mapping` is what is used: the given one, the
 * layout's, or the proposed one.
 */
export interface Analysis {
  source: TableSource;
  /** The id of the known layout, such as `godaddy`; null: the mapping is a proposal. */
  layout: string | null;
  registrar: string | null;
  /** What a bare `$` means in this layout. */
  dollar: string | null;
  /** Written by our own export: text is taken back exactly. */
  own: boolean;
  columns: ColumnAnalysis[];
  mapping: Mapping;
  ambiguous: ImportQuestion[];
  counts: TableCounts;
  defaults: ImportDefaults;
}
