import { DECISIONS, parseFieldChange, parseRenewal } from "./domain.ts";
import { IMPORT_FIELD_NAMES } from "./fields.ts";
import {
  boolean,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  variant,
  type Parsed,
} from "./parse.ts";

/** The JSON shapes of `/api/imports`. */

/** How `05/01/2027` is meant. */
export const DATE_ORDERS = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Classes of rows, in the order of the preview. `missing`: at this registrar, but not in the file. */
export const ROW_CLASSES = ["new", "changed", "same", "duplicate", "invalid", "missing"] as const;
export type RowClass = (typeof ROW_CLASSES)[number];

/** What a column of the file means. */
export type ColumnMeaning = Parsed<typeof parseColumnMeaning>;

export const parseColumnMeaning = oneOf([...IMPORT_FIELD_NAMES, "ignore"]);

const parseImportField = oneOf(IMPORT_FIELD_NAMES);

/** Values for every domain whose row names none; `tags` are added. `currency` is ISO 4217. */
export type ImportDefaults = Parsed<typeof parseDefaults>;

const parseDefaults = object({
  registrar: optional(text),
  account: optional(text),
  owner: optional(text),
  tags: optional(list(text)),
  currency: optional(text),
});

/**
 * `POST /api/imports` and, without `uploadId`, `PATCH /api/imports/:id`. `mapping` has one entry per
 * column, by position. `dateOrder` decides for every date column whose order is open.
 */
export interface ImportInput {
  uploadId?: string;
  mapping?: ColumnMeaning[];
  dateOrder?: DateOrder;
  defaults?: ImportDefaults;
}

/**
 * A column of the file. `secret` ones are never read or shown and cannot be mapped. `samples`: up to
 * five different cells of at most 80 characters. `dates`: the orders that a date column's cells allow.
 */
export type ImportColumn = Parsed<typeof parseColumn>;

const parseColumn = object({
  header: nullable(text),
  secret: boolean,
  field: parseColumnMeaning,
  samples: list(text),
  dates: nullable(object({ orders: list(oneOf(DATE_ORDERS)), contradictory: boolean })),
});

/** What only a person can decide; while there is any, the import cannot be committed. */
export type ImportQuestion = Parsed<typeof parseQuestion>;

const parseQuestion = variant("code", {
  field: { field: parseImportField, columns: list(number) },
  "no-name": {},
  "date-order": {
    column: number,
    contradictory: boolean,
    orders: list(oneOf(DATE_ORDERS)),
    samples: list(text),
  },
});

/** Rows by class. `withProblems`: rows of any class but `missing` with a cell that was unreadable. */
export type ImportCounts = Parsed<typeof parseCounts>;

const parseCounts = object({
  new: number,
  changed: number,
  same: number,
  duplicate: number,
  invalid: number,
  missing: number,
  withProblems: number,
});

/**
 * What an undo did. Domains that somebody edited after the import keep those edits: they are `kept`,
 * with the fields that were not reverted; at most 1,000 are listed.
 */
export type ImportUndo = Parsed<typeof parseUndo>;

const parseUndo = object({
  restored: number,
  removed: number,
  kept: list(object({ name: text, unicode: text, fields: list(text) })),
});

/** One import: a preview until it is committed, and perhaps undone after that. */
export type Import = Parsed<typeof parseImport>;

export const parseImport = object({
  id: text,
  state: oneOf(["preview", "committed", "undone"]),
  fileName: text,
  createdAt: text,
  committedAt: nullable(text),
  undoneAt: nullable(text),
  /** The registrar whose layout this is; null: an unknown layout, and the mapping is a proposal. */
  format: nullable(text),
  columns: list(parseColumn),
  ambiguous: list(parseQuestion),
  dateOrder: nullable(oneOf(DATE_ORDERS)),
  defaults: parseDefaults,
  counts: parseCounts,
  undo: nullable(parseUndo),
});

/** `GET /api/imports`: newest first, the latest 50. */
export const parseImportList = object({ items: list(parseImport) });

/** What a row holds; an absent value was not in the row and overwrites nothing. */
export type ImportValues = Parsed<typeof parseValues>;

const parseValues = object({
  expires: optional(text),
  autoRenew: optional(boolean),
  renewal: optional(parseRenewal),
  registrar: optional(text),
  account: optional(text),
  owner: optional(text),
  tags: optional(list(text)),
  decision: optional(oneOf(DECISIONS)),
  notes: optional(text),
});

/**
 * A row of the preview. `line` is null for `missing`; `changes` are those that a commit would make;
 * `problems` say why a cell could not be read, or (`read-as-host`) as what a URL was; `repeats` is the line with the same name, of a
 * `duplicate`.
 */
export type ImportRow = Parsed<typeof parseImportRow>;

const parseImportRow = object({
  id: text,
  class: oneOf(ROW_CLASSES),
  line: nullable(number),
  name: nullable(text),
  unicode: nullable(text),
  values: parseValues,
  changes: list(parseFieldChange),
  problems: list(object({ field: nullable(parseImportField), code: text, detail: text })),
  repeats: nullable(number),
});

/** `GET /api/imports/:id/rows?class=&after=&limit=100`. */
export type ImportRowPage = Parsed<typeof parseImportRowPage>;

export const parseImportRowPage = object({ items: list(parseImportRow), next: nullable(text) });
