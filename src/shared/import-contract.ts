import type { Day, Decision, Instant, Renewal } from "./contract.ts";

/** The JSON shapes of `/api/imports`: types only. */

/** What a column of a file can mean. */
export type ImportField =
  | "name"
  | "expires"
  | "autoRenew"
  | "renewalPrice"
  | "currency"
  | "years"
  | "registrar"
  | "account"
  | "owner"
  | "tags"
  | "decision"
  | "notes";

/** How `05/01/2027` is meant. */
export type DateOrder = "dmy" | "mdy" | "ymd";

/** Said of every name whose row says nothing; `tags` are added. `currency` is ISO 4217. */
export interface ImportDefaults {
  registrar?: string;
  account?: string;
  owner?: string;
  tags?: string[];
  currency?: string;
}

/**
 * `POST /api/imports` and, without `uploadId`, `PATCH /api/imports/:id`. `mapping` has one entry per
 * column, by position. `dateOrder` decides for every date column whose order is open.
 */
export interface ImportInput {
  uploadId?: string;
  mapping?: (ImportField | "ignore")[];
  dateOrder?: DateOrder;
  defaults?: ImportDefaults;
}

/** A column of the file. `secret` ones are never read or shown and cannot be mapped. */
export interface ImportColumn {
  header: string | null;
  secret: boolean;
  field: ImportField | "ignore";
  /** Up to five different cells of at most 80 characters. */
  samples: string[];
  /** For a date column: the orders that its cells allow, and the first cells as each reads them. */
  dates: { orders: DateOrder[]; contradictory: boolean } | null;
}

/** What only a person can decide; while there is any, the import cannot be committed. */
export type ImportQuestion =
  | { code: "field"; field: ImportField; columns: number[] }
  | { code: "no-name" }
  | {
      code: "date-order";
      column: number;
      contradictory: boolean;
      orders: DateOrder[];
      samples: string[];
    };

/** A name is in one class. `missing`: in the register at this registrar, and not in the file. */
export type RowClass = "new" | "changed" | "same" | "duplicate" | "invalid" | "missing";

export interface ImportCounts extends Record<RowClass, number> {
  /** Rows of all classes but `missing` that have a cell which could not be read. */
  withProblems: number;
}

/** One import: a preview until it is committed, and undone or not after that. */
export interface Import {
  id: string;
  state: "preview" | "committed" | "undone";
  fileName: string;
  createdAt: Instant;
  committedAt: Instant | null;
  undoneAt: Instant | null;
  /** The registrar whose layout this is; null: nobody knows the layout, and `mapping` is proposed. */
  format: string | null;
  columns: ImportColumn[];
  ambiguous: ImportQuestion[];
  dateOrder: DateOrder | null;
  defaults: ImportDefaults;
  counts: ImportCounts;
  /** After an undo. */
  undo: ImportUndo | null;
}

/** What a row says of its name; what is absent was not said and overwrites nothing. */
export interface ImportValues {
  expires?: Day;
  autoRenew?: boolean;
  renewal?: Renewal;
  registrar?: string;
  account?: string;
  owner?: string;
  tags?: string[];
  decision?: Decision;
  notes?: string;
}

/** A row of the preview. `line` is null for `missing`; `changes` are those that a commit would make. */
export interface ImportRow {
  id: string;
  class: RowClass;
  line: number | null;
  name: string | null;
  unicode: string | null;
  values: ImportValues;
  changes: { field: string; before: unknown; after: unknown }[];
  /** Why something of the row could not be read. */
  problems: { field: ImportField | null; code: string; detail: string }[];
  /** For `duplicate`: the line that has the same name. */
  repeats: number | null;
}

/** `GET /api/imports/:id/rows?class=&after=&limit=100`. */
export interface ImportRowPage {
  items: ImportRow[];
  next: string | null;
}

/** `GET /api/imports`: newest first, the latest 50. */
export interface ImportList {
  items: Import[];
}

/**
 * `POST /api/imports/:id/undo`. Names that somebody edited after the import keep those edits: they
 * are `kept`, with the fields that were not taken back; at most 1,000 are listed.
 */
export interface ImportUndo {
  restored: number;
  removed: number;
  kept: { name: string; unicode: string; fields: string[] }[];
}
