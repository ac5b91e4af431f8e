import { addDays, type Day } from "../../../shared/day.ts";
import {
  fieldsOf,
  importFieldsOf,
  LABEL_FIELDS,
  type ImportField,
} from "../../../shared/fields.ts";
import { READ_AS_HOST, type ImportRow, type ImportValues } from "../../../shared/import.ts";
import { memoize } from "../../../shared/memoize.ts";
import { quotable } from "../../../shared/parse.ts";
import { foldLabel, isBlank, labelFault, LIMITS, sortCustomFields } from "../../../shared/text.ts";
import { readUrlHost } from "../../../shared/url-host.ts";
import { customName, revealCell } from "../../domains/list/csv-export.ts";
import { type DomainName, parseOwnedName } from "../../domains/domain-name.ts";
import { isNullValue, parseFlag } from "../values/cell-shapes.ts";
import { currencyOfHeader } from "../values/money.ts";
import { readDate } from "../values/date-order.ts";
import { mayBeMisread, type Encoding } from "./encoding.ts";
import type { FileAnalysis, Readings } from "./file-survey.ts";
import {
  readDecision,
  readHosts,
  readLabel,
  readMoney,
  readPrice,
  readTags,
  readText,
  type CellValue,
  type PriceContext,
} from "./row-values.ts";
import { cellAt, type RowFault, type TableRow, type TableSource } from "./table.ts";

/** `repeats` is the first line with the same name; null: this is the first. */
export interface FileRow extends Pick<ImportRow, "values" | "problems" | "repeats"> {
  line: number;
  /** Null: the row has no valid name, and a problem tells why; nothing of it can be imported. */
  name: DomainName | null;
}

const MAX_QUOTE_LENGTH = 60;

const FAULTS: Record<RowFault, string> = {
  "stray-quote": "A quotation mark in this row is not closed where its cell ends",
  "unclosed-quote": "A quotation mark is never closed, so the rest of the file was not read",
  "too-few-cells": "This row has fewer cells than the file has columns",
  "too-many-cells": "This row has more cells than the file has columns: only its domain was read",
};

/** No file has the days that only the register knows. */
const DAYS = fieldsOf("expiry", "day").filter((field) => field !== "doneFor");
const TEXTS = fieldsOf("status", "person");
const HOSTS = fieldsOf("hosts");
const NOTES = fieldsOf("notes");

/** Makes the parser of a file's rows. The caller, who sees all rows, sets `repeats`. */
export function createRowParser(
  analysis: FileAnalysis,
  readings: Readings,
  { today, encoding }: { today: Day; encoding: Encoding },
): (row: TableRow) => FileRow {
  const { own, registrar, defaults } = analysis;
  const columns = Map.groupBy(analysis.mapping.keys(), (column) => analysis.mapping[column]);
  const customColumns = nameCustomColumns(analysis);

  const parseLabel = memoize((cell) => readLabel(cell, own));
  const parseTags = memoize((cell) => readTags(cell, own));
  const parseHosts = memoize(readHosts);
  // Somewhere it is tomorrow already. Our own export is taken back exactly.
  const lastBegun = own ? "9999-12-31" : addDays(today, 1);
  const days = DAYS.map((field) => {
    const reading = readings.dates[field];
    return { field, parse: (cell: string) => (reading ? readDate(cell, reading) : null) };
  });
  const flags = fieldsOf("flag").map((field) => ({
    field,
    parse: memoize((cell) => parseFlag(cell, field)),
  }));
  const amounts = fieldsOf("money").map((field) => {
    // A column that says no more than "Currency" is that of every amount without one of its own.
    const currency = importFieldsOf(field).find((each) => each !== field && columns.has(each));
    return { field, currency, context: priceContext(analysis, readings, field) };
  });
  const renewal = priceContext(analysis, readings, "renewalPrice");
  const parseNotes = (cell: string) => readText(cell, own, LIMITS.notes);

  return (row) => {
    const cells = readCells(row, analysis, columns);
    const values: ImportValues = {};
    const { line } = row;
    const name = readName(cells, encoding);
    const parsed = { line, name, values, problems: cells.problems, repeats: null };
    if (name === null) return parsed;
    for (const { field, parse } of days)
      put(values, field, cells.read(field, "unreadable-date", parse));
    if (values.registeredOn !== undefined && values.registeredOn > lastBegun) {
      cells.add("registeredOn", "future-date", "This day is in the future", values.registeredOn);
      delete values.registeredOn;
    }
    for (const { field, parse } of flags)
      put(values, field, cells.read(field, "unreadable-flag", parse));
    const parsePrice = (price: string) =>
      readPrice({ price, currency: cells.text("currency"), years: cells.text("years") }, renewal);
    put(values, "renewal", cells.read("renewalPrice", "unreadable-price", parsePrice));
    for (const { field, currency = "currency", context } of amounts) {
      const parseAmount = (price: string) =>
        readMoney({ price, currency: cells.text(currency) }, context);
      put(values, field, cells.read(field, "unreadable-price", parseAmount));
    }
    for (const field of LABEL_FIELDS) {
      put(values, field, cells.read(field, "unreadable-text", parseLabel) ?? defaults[field]);
    }
    if (registrar !== null) values.registrar ??= registrar;
    for (const field of TEXTS) put(values, field, cells.read(field, "unreadable-text", parseLabel));
    const tags = cells.read("tags", "unreadable-text", parseTags);
    put(values, "tags", joinTags(tags, defaults.tags));
    put(values, "decision", cells.read("decision", "unreadable-text", readDecision));
    for (const field of HOSTS) put(values, field, cells.read(field, "unreadable-text", parseHosts));
    for (const field of NOTES) put(values, field, cells.read(field, "unreadable-text", parseNotes));
    put(values, "custom", readCustomFields(cells, customColumns, own));
    return parsed;
  };
}

function put<F extends keyof ImportValues>(
  values: ImportValues,
  field: F,
  value: ImportValues[F] | null,
): void {
  if (value !== null && value !== undefined) values[field] = value;
}

type CustomColumn = readonly [column: number, name: string];

/** Names custom fields by their headers; of headers that fold alike the first is meant. */
function nameCustomColumns({ mapping, columns, own }: FileAnalysis): CustomColumn[] {
  const named = new Map<string, CustomColumn>();
  for (const [column, meaning] of mapping.entries()) {
    if (meaning !== "custom") continue;
    const header = columns[column]?.header ?? "";
    const plain = (own ? revealCell(header) : header).replace(/[\p{Cc}\s]+/gu, " ").trim();
    const short = plain.slice(0, LIMITS.customName).toWellFormed();
    const fault = labelFault(short, LIMITS.customName);
    const given = fault !== null || isBlank(short) ? `Column ${column + 1}` : short;
    const name = own ? customName(given) : given;
    if (!named.has(foldLabel(name))) named.set(foldLabel(name), [column, name]);
  }
  return [...named.values()];
}

function readCustomFields(
  cells: RowCells,
  columns: readonly CustomColumn[],
  own: boolean,
): Record<string, string> | null {
  const parse = (cell: string) =>
    !own && isNullValue(cell) ? null : readText(cell, own, LIMITS.customText);
  const texts = columns.flatMap(([column, name]): [string, string][] => {
    const text = cells.read("custom", "unreadable-text", parse, [column]);
    return text === null ? [] : [[name, text]];
  });
  return texts.length === 0 ? null : sortCustomFields(texts);
}

const MISREADABLE =
  "The file doesn’t say its encoding, so this name may be misread. Save the file as UTF-8";

function readName(cells: RowCells, encoding: Encoding): DomainName | null {
  const cell = cells.text("name");
  const parsed = parseOwnedName(cell);
  const isRead = "detail" in parsed || !mayBeMisread(cell, encoding);
  const name = isRead ? parsed : { detail: MISREADABLE };
  // An e-mail address is personal, and a URL may hold a password.
  const quoted = cell.includes("@") ? "" : cell;
  if ("detail" in name) {
    cells.add("name", "invalid-name", name.detail, quoted);
    return null;
  }
  if (cell !== name.name && readUrlHost(cell) !== null) {
    cells.add("name", READ_AS_HOST, `Read as ${name.unicode}`, quoted);
  }
  return name;
}

function priceContext(
  { own, dollar, defaults, mapping, columns }: FileAnalysis,
  { money }: Readings,
  meaning: ImportField,
): PriceContext {
  const header = columns[mapping.indexOf(meaning)]?.header ?? "";
  return {
    // Our own export writes a dot, also in a file whose every price happens to be whole.
    reading: own ? { decimal: "." } : (money[meaning] ?? { decimal: null }),
    headerCurrency: currencyOfHeader(header),
    dollar,
    defaultCurrency: defaults.currency ?? null,
    own,
  };
}

/** The tags of the row and then those that a person gives to all rows, each once. */
function joinTags(own: string[] | null, given: string[] | undefined): string[] | null {
  if (own === null || given === undefined) return own ?? given ?? null;
  const keys = new Set(own.map(foldLabel));
  return [...own, ...given.filter((tag) => !keys.has(foldLabel(tag)))];
}

type RowCells = ReturnType<typeof readCells>;

/** Cells by field. Of a shifted row only a name in front is read, and no problem quotes a cell. */
function readCells(
  { cells, width, fault }: TableRow,
  { source }: FileAnalysis,
  columnsOf: ReadonlyMap<unknown, readonly number[]>,
) {
  const problems: ImportRow["problems"] = [];
  const isOdd = width !== source.format.columns;
  const isShifted =
    fault === "unclosed-quote" || (fault !== null && fault !== "too-few-cells" && isOdd);
  if (fault) problems.push({ field: null, code: fault, detail: FAULTS[fault] });

  function cellIn(column: number): string {
    return isShifted && !isInFront(column, source) ? "" : cellAt(cells, column, source);
  }

  /** A cell as it is; blank where the file or the row has none. Several of one meaning are joined. */
  function text(field: ImportField): string {
    const columns = columnsOf.get(field);
    return columns?.map(cellIn).join(" ") ?? "";
  }

  /** The value in the columns of a field; null if it is absent, blank or unreadable. */
  function read<T>(
    field: ImportField,
    code: string,
    parse: (cell: string) => CellValue<T>,
    columns = columnsOf.get(field),
  ): T | null {
    // By index: twenty times for each row, the iterator of a pattern shows.
    if (columns?.[0] === undefined) return null;
    const cell = columns[1] === undefined ? cellIn(columns[0]) : text(field);
    const value = parse(cell);
    if (!isFault(value)) return value;
    add(field, code, value.reason, cell);
    return null;
  }

  /** Adds a problem, with the cell where it is in its own column. */
  function add(field: ImportField, code: string, reason: string, cell: string): void {
    const isQuoted = fault === null && cell.trim() !== "";
    const detail = isQuoted ? `${reason.replace(/\.$/, "")}: ${quote(cell)}` : reason;
    problems.push({ field, code, detail });
  }

  return { problems, text, read, add };
}

/** Nothing before it can have shifted it: the first column, and a name of the first two. */
function isInFront(column: number, { format, nameColumns }: TableSource): boolean {
  if (column < format.columns || nameColumns === undefined) return column <= 0;
  return Math.max(nameColumns.sld, nameColumns.tld) === 1;
}

function isFault(value: unknown): value is { reason: string } {
  return typeof value === "object" && value !== null && "reason" in value;
}

function quote(cell: string): string {
  const text = cell.trim();
  const short = text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text;
  return quotable(JSON.stringify(short));
}
