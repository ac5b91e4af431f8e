import { isDay, type Day } from "./day.ts";
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
import * as p from "./parse.ts";

/** `POST /api/upload/post`: what was stored; `sha256` is lower-case hexadecimal. */
export type Upload = p.Parsed<typeof parseUpload>;

export const parseUpload = p.object({
  uploadId: p.text,
  name: p.text,
  bytes: p.number,
  sha256: p.text,
});

/** How `05/01/2027` is meant. */
export const DATE_ORDERS = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Three numbers as they are written. */
export type DateParts = readonly [string, string, string];

const NUMERIC_DATE =
  /^(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?:[,\s]+\d{1,2}:\d{2}[^/]*|)$/;

/** The numbers and the separator of a date such as `05/01/2027`, with or without a time. */
export function readNumericDate(text: string) {
  const found = NUMERIC_DATE.exec(text.trim());
  if (found === null) return null;
  const [, first = "", separator, second = "", third = ""] = found;
  return { parts: [first, second, third] as const, separator };
}

/** The day that three numbers are in this order, or null where the calendar has none. */
export function dayInOrder([first, second, third]: DateParts, order: DateOrder): Day | null {
  if (order === "dmy") return dayOf(first, second, third);
  if (order === "mdy") return dayOf(second, first, third);
  return third.length === 2 && first.length === 2 ? dayOf(third, second, first) : null;
}

/** Composes a day. The earliest year is 1985, so a two-digit 85 is 1985 and 84 is 2084. */
export function dayOf(day: string, month: string, year: string): Day | null {
  if (day.length > 2 || (year.length !== 4 && year.length !== 2)) return null;
  const century = Number(year) < 85 ? "20" : "19";
  const full = year.length === 2 ? century + year : year;
  const text = `${full}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(text) ? text : null;
}

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
export type ColumnMeaning = p.Parsed<typeof parseColumnMeaning>;

export const parseColumnMeaning = p.oneOf([...IMPORT_FIELD_NAMES, "ignore"]);

const parseImportField = p.oneOf(IMPORT_FIELD_NAMES);

/**
 * Values for every domain whose row names none; `tags` are added. `currency` is ISO 4217.
 * `registrarUnknown`: the person was asked for the registrar, and does not know. `keepRegistrar`:
 * domains of the register stay at the registrar that they have there. `keepByHand`: the fields in which
 * values that people set by hand stay; `KEPT_BY_HAND` unless given. `bringBack`: archived domains that the
 * file lists come back.
 */
export type ImportDefaults = p.Parsed<typeof parseDefaults>;

const parseDefaults = p.object({
  ...recordOf(LABEL_FIELDS, () => p.optional(p.text)),
  registrarUnknown: p.optional(p.boolean),
  keepRegistrar: p.optional(p.boolean),
  keepByHand: p.optional(p.list(p.oneOf(FIELD_NAMES))),
  bringBack: p.optional(p.boolean),
  tags: p.optional(p.list(p.text)),
  currency: p.optional(p.text),
});

export const KEPT_BY_HAND: readonly Field[] = ["decision", "autoRenew", "notes"];

/**
 * A column of the file. `secret` ones are never read or shown and cannot be mapped. `samples`: up to
 * five different cells of at most 80 characters. `dates`: the orders that a date column's cells allow.
 */
export type ImportColumn = p.Parsed<typeof parseColumn>;

const parseColumn = p.object({
  header: p.nullable(p.text),
  secret: p.boolean,
  field: parseColumnMeaning,
  samples: p.list(p.text),
  dates: p.nullable(p.object({ orders: p.list(p.oneOf(DATE_ORDERS)), contradictory: p.boolean })),
});

/**
 * What only a person can decide; while there is any, the import cannot be committed. `registrar`: no
 * row names one; answered by `defaults.registrar` or `defaults.registrarUnknown`. `guess` is a
 * registrar that the file's name mentions.
 */
export type ImportQuestion = p.Parsed<typeof parseQuestion>;

const parseQuestion = p.variant("code", {
  field: { field: parseImportField, columns: p.list(p.number) },
  "no-name": {},
  registrar: { guess: p.nullable(p.text) },
  "date-order": {
    column: p.number,
    contradictory: p.boolean,
    orders: p.list(p.oneOf(DATE_ORDERS)),
    samples: p.list(p.text),
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
export type ImportCounts = p.Parsed<typeof parseCounts>;

const parseCounts = p.object({
  ...recordOf(ROW_FILTERS, () => p.number),
  moves: p.orElse(p.list(p.object({ from: p.text, to: p.text, domains: p.number })), []),
  secondDates: p.orElse(p.number, 0),
  losing: p.orElse(p.number, 0),
  byHand: p.orElse(p.list(p.object({ field: p.oneOf(FIELD_NAMES), domains: p.number })), []),
});

/** Counts of a preview without rows; an older one lacks some. */
export const NO_ROWS: Readonly<ImportCounts> = {
  ...recordOf(ROW_FILTERS, () => 0),
  moves: [],
  secondDates: 0,
  losing: 0,
  byHand: [],
};

/** What an undo did. At most 1,000 domains are `kept`: edited since, with the fields that were not reverted. */
export type ImportUndo = p.Parsed<typeof parseUndo>;

const parseUndo = p.object({
  restored: p.number,
  removed: p.number,
  kept: p.list(p.object({ name: p.text, unicode: p.text, fields: p.list(p.text) })),
});

/** One import: a preview until it is committed, and perhaps undone after that. */
export type Import = p.Parsed<typeof parseImport>;

export const parseImport = p.object({
  id: p.text,
  state: p.oneOf(["preview", "committed", "undone"]),
  fileName: p.text,
  createdAt: p.text,
  committedAt: p.nullable(p.text),
  undoneAt: p.nullable(p.text),
  /** The registrar whose layout this is; null: an unknown layout, and the mapping is a proposal. */
  format: p.nullable(p.text),
  /** When the file was imported whose mapping, order and defaults are used; null: none, or mapped by hand since. */
  remembered: p.nullable(p.text),
  columns: p.list(parseColumn),
  ambiguous: p.list(parseQuestion),
  dateOrder: p.nullable(p.oneOf(DATE_ORDERS)),
  defaults: parseDefaults,
  counts: parseCounts,
  undo: p.nullable(parseUndo),
});

/** `GET /api/imports`: newest first, the latest 50. */
export const parseImportList = p.object({ items: p.list(parseImport) });

/** An absent value was not in the row and overwrites nothing. `person` is a name or an e-mail address. */
export type ImportValues = {
  [F in Exclude<Field, "name" | TextField>]?: NonNullable<Domain[F]>;
} & { expires?: Day; person?: string };

type TextField = "expires" | "person";

const VALUE_PARSERS = { ...FIELD_PARSERS, expires: p.text, person: p.text };

const parseValues = p.described(readValues, () => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(VALUE_PARSERS).map(([field, parse]) => [field, p.schemaOf(parse)]),
  ),
}));

function readValues(value: unknown): ImportValues {
  const values = Object.entries(p.isRecord(value) ? value : {}).map(([field, given]) => {
    return [field, isField(field) ? VALUE_PARSERS[field](given) : null];
  });
  // Each member was parsed as its field says; null is a value that this version does not know.
  return Object.fromEntries(values.filter(([, parsed]) => parsed !== null)) as ImportValues;
}

/**
 * A row of the preview. `line` is null for `missing`; what `values` lack was not in the row and overwrites
 * nothing; `changes` are those that a commit would make; `problems` say why a cell could not be read, or
 * (`read-as-host`) as what a URL was; `repeats` is the line with the same name, of a `duplicate`.
 */
export type ImportRow = p.Parsed<typeof parseImportRow>;

const parseImportRow = p.object({
  id: p.text,
  class: p.oneOf(ROW_CLASSES),
  line: p.nullable(p.number),
  name: p.nullable(p.text),
  unicode: p.nullable(p.text),
  values: parseValues,
  changes: p.list(parseFieldChange),
  problems: p.list(p.object({ field: p.nullable(parseImportField), code: p.text, detail: p.text })),
  repeats: p.nullable(p.number),
  /** A person has left it out. */
  skipped: p.boolean,
  /** Its domain is archived. */
  archived: p.orElse(p.boolean, false),
});

/** `GET /api/imports/:id/rows?class=&after=&limit=100`; `class` is a `RowFilter`. */
export type ImportRowPage = p.Parsed<typeof parseImportRowPage>;

export const parseImportRowPage = p.page(parseImportRow);
