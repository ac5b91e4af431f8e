import type { Day } from "./day.ts";
import { parseFieldChange } from "./changes.ts";
import { FIELD_PARSERS, type Domain } from "./domain.ts";
import {
  FIELD_NAMES,
  IMPORT_FIELD_NAMES,
  isField,
  LABEL_FIELDS,
  recordOf,
  type Field,
} from "./fields.ts";
import {
  boolean,
  described,
  isRecord,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  orElse,
  schemaOf,
  text,
  variant,
  type Parsed,
} from "./parse.ts";

/** `POST /api/upload/post`: what was stored; `sha256` is lower-case hexadecimal. */
export type Upload = Parsed<typeof parseUpload>;

export const parseUpload = object({ uploadId: text, name: text, bytes: number, sha256: text });

/** How `05/01/2027` is meant. */
export const DATE_ORDERS = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Classes of rows, in the order of the preview. `missing`: at this registrar, but not in the file. */
export const ROW_CLASSES = ["new", "changed", "same", "duplicate", "invalid", "missing"] as const;
export type RowClass = (typeof ROW_CLASSES)[number];

/**
 * What the rows of a preview can be narrowed to. The classes leave out rows that a person has skipped:
 * they are `skipped`. `partly`: rows that will be imported without a value that could not be read.
 */
export const ROW_FILTERS = [...ROW_CLASSES, "partly", "skipped"] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

/** What a column of the file means; `custom`: a custom field of the name in its header. */
export type ColumnMeaning = Parsed<typeof parseColumnMeaning>;

export const parseColumnMeaning = oneOf([...IMPORT_FIELD_NAMES, "ignore"]);

const parseImportField = oneOf(IMPORT_FIELD_NAMES);

/**
 * Values for every domain whose row names none; `tags` are added. `currency` is ISO 4217.
 * `registrarUnknown`: the person was asked for the registrar, and does not know. `keepRegistrar`:
 * domains of the register stay at the registrar that they have there. `keepByHand`: the fields in which
 * values that people set by hand stay; `KEPT_BY_HAND` unless given. `bringBack`: archived domains that the
 * file lists come back.
 */
export type ImportDefaults = Parsed<typeof parseDefaults>;

const parseDefaults = object({
  ...recordOf(LABEL_FIELDS, () => optional(text)),
  registrarUnknown: optional(boolean),
  keepRegistrar: optional(boolean),
  keepByHand: optional(list(oneOf(FIELD_NAMES))),
  bringBack: optional(boolean),
  tags: optional(list(text)),
  currency: optional(text),
});

export const KEPT_BY_HAND: readonly Field[] = ["decision", "autoRenew", "notes"];

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

/**
 * What only a person can decide; while there is any, the import cannot be committed. `registrar`: no
 * row names one; answered by `defaults.registrar` or `defaults.registrarUnknown`. `guess` is a
 * registrar that the file's name mentions.
 */
export type ImportQuestion = Parsed<typeof parseQuestion>;

const parseQuestion = variant("code", {
  field: { field: parseImportField, columns: list(number) },
  "no-name": {},
  registrar: { guess: nullable(text) },
  "date-order": {
    column: number,
    contradictory: boolean,
    orders: list(oneOf(DATE_ORDERS)),
    samples: list(text),
  },
});

/** The code of a note that a domain was read from a URL: worth knowing, but nothing is lost. */
export const READ_AS_HOST = "read-as-host";

/**
 * Rows by filter. Those that are `partly` read are in one of the other classes as well. `moves`: domains
 * that are at another registrar by the file than by the register, the most first. `secondDates`: those
 * that get a conflicting expiry date. `losing`: those that the registrar has cancelled or put on hold.
 * `byHand`: of how many domains the file has another value than a person set by hand, the most first; by
 * `archivedOn`, how many are archived.
 */
export type ImportCounts = Parsed<typeof parseCounts>;

const parseCounts = object({
  ...recordOf(ROW_FILTERS, () => number),
  moves: orElse(list(object({ from: text, to: text, domains: number })), []),
  secondDates: orElse(number, 0),
  losing: orElse(number, 0),
  byHand: orElse(list(object({ field: oneOf(FIELD_NAMES), domains: number })), []),
});

/** Counts of a preview without rows; an older one lacks some. */
export const NO_ROWS: Readonly<ImportCounts> = {
  ...recordOf(ROW_FILTERS, () => 0),
  moves: [],
  secondDates: 0,
  losing: 0,
  byHand: [],
};

/**
 * What an undo did. Domains that were edited after the import keep those edits: they are `kept`,
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
  /**
   * When a file with the same headers was imported last, an instant: its mapping, date order and
   * defaults are used for this one. Null: there was none, or a person has mapped the columns again.
   */
  remembered: nullable(text),
  columns: list(parseColumn),
  ambiguous: list(parseQuestion),
  dateOrder: nullable(oneOf(DATE_ORDERS)),
  defaults: parseDefaults,
  counts: parseCounts,
  undo: nullable(parseUndo),
});

/** `GET /api/imports`: newest first, the latest 50. */
export const parseImportList = object({ items: list(parseImport) });

/** An absent value was not in the row and overwrites nothing. `person` is a name or an e-mail address. */
export type ImportValues = {
  [F in Exclude<Field, "name" | TextField>]?: NonNullable<Domain[F]>;
} & { expires?: Day; person?: string };

type TextField = "expires" | "person";

const VALUE_PARSERS = { ...FIELD_PARSERS, expires: text, person: text };

const parseValues = described(readValues, () => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(VALUE_PARSERS).map(([field, parse]) => [field, schemaOf(parse)]),
  ),
}));

function readValues(value: unknown): ImportValues {
  const values = Object.entries(isRecord(value) ? value : {}).map(([field, given]) => {
    return [field, isField(field) ? VALUE_PARSERS[field](given) : null];
  });
  // Each member was parsed as its field says; null is a value that this version does not know.
  return Object.fromEntries(values.filter(([, parsed]) => parsed !== null)) as ImportValues;
}

/**
 * A row of the preview. `line` is null for `missing`; `changes` are those that a commit would make;
 * `problems` say why a cell could not be read, or (`read-as-host`) as what a URL was; `repeats` is the
 * line with the same name, of a `duplicate`.
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
  /** A person has left it out. */
  skipped: boolean,
  /** Its domain is archived. */
  archived: orElse(boolean, false),
});

/** `GET /api/imports/:id/rows?class=&after=&limit=100`; `class` is a `RowFilter`. */
export type ImportRowPage = Parsed<typeof parseImportRowPage>;

export const parseImportRowPage = object({ items: list(parseImportRow), next: nullable(text) });

/**
 * `PATCH /api/imports/:id/rows`: leaves rows of a preview out, or takes them in again. By id at most
 * 1,000; by class all of them. Answers the import.
 */
export interface RowChange {
  skip: { ids: string[] } | { class: Exclude<RowFilter, "missing" | "duplicate" | "invalid"> };
  skipped: boolean;
}
