import { isDomainLike } from "../values/domain-like.ts";
import { readHeader } from "../columns/header-words.ts";
import { ImportError } from "../import-error.ts";
import { findLayout } from "../layouts/layouts.ts";
import { isNameList } from "./name-list.ts";
import { isBlank, parseRecords, type Dialect, type TextRecord } from "./records.ts";

/** How the text of a file is laid out; plain JSON. */
export interface TableFormat {
  /** `list`: nothing but names, on lines of one or more. */
  kind: "table" | "list";
  separator: Dialect["separator"];
  /** The header as it is written, or null where there is none. */
  header: string[] | null;
  /** Where the header stands, counted from 1; null: none. */
  headerLine: number | null;
  /** Records before the first of data: `sep=`, preamble, header. */
  skip: number;
  /** How many cells a row has. */
  columns: number;
}

const SEPARATORS = [",", ";", "\t", "|"] as const;
/** How far down a header is looked for. */
const PREAMBLE = 30;
const MAX_COLUMNS = 500;

/**
 * Finds separator, preamble and header in the first part of a text, whose lines end in LF.
 *
 * @param complete Whether `head` is the whole text: else its last record may be cut.
 * @throws {ImportError} `empty-file`, `no-names` or `too-many-columns`.
 */
export function findFormat(head: string, complete: boolean): TableFormat {
  if (complete && head.trim() === "") {
    throw new ImportError("empty-file", "Expected a list of domain names, but the file is blank.");
  }
  const stated = /^\s*"?sep=([,;\t|])"?[ \t]*\n/i.exec(head)?.[1];
  const separators = SEPARATORS.filter((each) => stated === undefined || each === stated);
  const tables = separators.map((separator) => ({
    separator,
    records: parseRecords(head, { separator, newline: "\n" }, { complete }).records,
    start: stated === undefined ? 0 : 1,
  }));
  const lines = parseRecords(head, { separator: "none", newline: "\n" }, { complete }).records;
  const headed = byHeader(tables);
  const format = headed ? asHeadedList(headed, lines) : (asList(lines) ?? byShape(tables));
  if (format === null) {
    const message = "Expected a column of domain names, but found none in this file.";
    throw new ImportError("no-names", message);
  }
  if (format.columns > MAX_COLUMNS) {
    const message = `Expected at most ${MAX_COLUMNS} columns, but got ${format.columns}.`;
    throw new ImportError("too-many-columns", message);
  }
  return format;
}

interface Candidate {
  separator: (typeof SEPARATORS)[number];
  records: readonly TextRecord[];
  start: number;
}

/** The row whose cells are the most known words, under whichever separator. */
function byHeader(tables: readonly Candidate[]): TableFormat | null {
  let best: { score: number; format: TableFormat } | null = null;
  for (const { separator, records, start } of tables) {
    for (const [index, record] of records.slice(0, PREAMBLE).entries()) {
      const score = index < start ? 0 : scoreHeader(record.cells);
      if (score <= (best?.score ?? 0)) continue;
      best = { score, format: toFormat({ separator, records }, index) };
    }
  }
  return best?.format ?? null;
}

/** How many headers a row has; 0 where it may be a row of data. */
function scoreHeader(cells: readonly string[]): number {
  const said = cells.filter((cell) => cell.trim() !== "");
  if (findLayout(cells) !== null) return 1000 + said.length;
  const meanings = said.map((cell) => ({ cell, meaning: readHeader(cell) }));
  const sure = meanings.filter(({ cell, meaning }) => meaning !== null && !isDomainLike(cell));
  const known = meanings.filter(({ meaning }) => meaning !== null).length;
  const names = sure.filter(({ meaning }) => meaning?.kind === "field" && meaning.field === "name");
  // "domain.name" is a name that somebody owns; beside other headers it is one of them.
  if (sure.length >= 2 && known * 3 >= said.length) return known;
  return names.length === 1 && said.length <= 3 ? known : 0;
}

function asList(lines: readonly TextRecord[]): TableFormat | null {
  if (!isNameList(lines)) return null;
  return { kind: "list", separator: "none", header: null, headerLine: null, skip: 0, columns: 1 };
}

/** The separator under which most rows have the same number of cells, one of them a name. */
function byShape(tables: readonly Candidate[]): TableFormat | null {
  let best: { score: number; format: TableFormat } | null = null;
  for (const table of tables) {
    const rows = table.records.slice(table.start).filter((record) => !isBlank(record));
    const width = usualWidth(rows);
    const alike = rows.filter(({ cells }) => cells.length === width && cells.some(isDomainLike));
    const score = (alike.length / Math.max(rows.length, 1)) * (width > 1 ? 2 : 1);
    const [first] = alike;
    if (first === undefined || score <= (best?.score ?? 0.2)) continue;
    best = { score, format: shapeFormat(table, first, width) };
  }
  return best?.format ?? null;
}

/**
 * A row right above the first name, as wide and all words, is a header in words of its own; so is one
 * with a word for the name.
 */
function shapeFormat(table: Candidate, first: TextRecord, width: number): TableFormat {
  const index = table.records.indexOf(first);
  const above = table.records[index - 1];
  const isHeader =
    width > 1 &&
    above?.cells.length === width &&
    index > table.start &&
    (above.cells.some(saysName) ||
      above.cells.every((cell) => cell.trim() !== "" && !/\d/.test(cell) && !cell.includes("@")));
  if (isHeader) return toFormat(table, index - 1);
  const narrow = table.records.findIndex(({ cells }) => cells.length === width);
  const skip = Math.max(table.start, narrow);
  const { separator } = table;
  return { kind: "table", separator, header: null, headerLine: null, skip, columns: width };
}

function saysName(cell: string): boolean {
  const meaning = isDomainLike(cell) ? null : readHeader(cell);
  return meaning?.kind === "field" && meaning.field === "name" && meaning.strong;
}

function toFormat({ separator, records }: Omit<Candidate, "start">, index: number): TableFormat {
  const { cells: header, line: headerLine } = records[index] ?? { cells: [], line: 1 };
  return { kind: "table", separator, header, headerLine, skip: index + 1, columns: header.length };
}

/** Under a single header, names may still stand several to a line. */
function asHeadedList(format: TableFormat, lines: readonly TextRecord[]): TableFormat {
  const header = format.header?.filter((cell) => cell.trim() !== "") ?? [];
  const { headerLine } = format;
  if (headerLine === null || header.length !== 1) return format;
  const below = lines.filter(({ line }) => line > headerLine);
  if (!isNameList(below)) return format;
  return { ...format, kind: "list", separator: "none", header, skip: headerLine, columns: 1 };
}

function usualWidth(rows: readonly TextRecord[]): number {
  const widths = new Map<number, number>();
  for (const { cells } of rows) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  let usual = 0;
  for (const [width, count] of widths) {
    if (count > (widths.get(usual) ?? 0)) usual = width;
  }
  return usual;
}
