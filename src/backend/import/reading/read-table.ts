import type { ByteSource } from "./byte-source.ts";
import { decodeText, unifyLines } from "./decode.ts";
import type { Encoding } from "./encoding.ts";
import { ImportError } from "../import-error.ts";
import { isComment, splitNames } from "./name-list.ts";
import { isBlank, readRecords, type QuoteFault, type TextRecord } from "./records.ts";
import { joinName, type NameParts } from "./name-parts.ts";
import type { TableFormat } from "./table-format.ts";

/** More rows than any register has names. */
const MAX_ROWS = 500_000;

/** What makes the cells of a row doubtful: some may stand under another column's header. */
export type RowFault = QuoteFault | "too-few-cells" | "too-many-cells";

/** One row of data; `cells` are those of the known columns, those never to be read blanked. */
export interface TableRow {
  line: number;
  cells: string[];
  /** How many cells there were. */
  width: number;
  fault: RowFault | null;
}

/** What is in a file beside its preamble and header. */
export interface TableCounts {
  rows: number;
  blank: number;
  comments: number;
  repeatedHeaders: number;
}

/** What a reader needs to know beforehand; plain JSON. */
export interface TableSource {
  encoding: Encoding;
  format: TableFormat;
  /** Line breaks inside quotes are kept as they are: CRLF ends a record, and nothing else. */
  keepLines: boolean;
  /** Columns that are never read. */
  secret: readonly number[];
  /** The names are in two columns: what they say together is one more, behind all others. */
  nameParts?: NameParts;
}

/**
 * Reads the rows of data in batches, and counts into `counts` what it passes over: blank rows,
 * comments of a list, the header once more.
 *
 * @throws {ImportError} `record-too-long`, or `too-many-rows` after 500,000.
 */
export async function* readTable(
  open: ByteSource,
  source: TableSource,
  counts: TableCounts = { rows: 0, blank: 0, comments: 0, repeatedHeaders: 0 },
): AsyncGenerator<TableRow[]> {
  const { format, encoding, keepLines } = source;
  const newline = keepLines ? "\r\n" : "\n";
  const text = decodeText(open, encoding);
  const dialect = { separator: format.separator, newline } as const;
  let toSkip = format.skip;
  for await (const records of readRecords(keepLines ? text : unifyLines(text), dialect)) {
    const data = records.slice(toSkip);
    toSkip -= records.length - data.length;
    const rows = data.flatMap((record) => toRows(record, source, counts));
    counts.rows += rows.length;
    if (counts.rows > MAX_ROWS) {
      const limit = MAX_ROWS.toLocaleString("en");
      throw new ImportError("too-many-rows", `Expected at most ${limit} rows, but got more.`);
    }
    if (rows.length > 0) yield rows;
  }
}

/** A cell of a row by its column; undefined where the row ends before it. */
export function cellAt(
  cells: readonly string[],
  column: number,
  { format, nameParts }: TableSource,
): string | undefined {
  if (nameParts === undefined || column < format.columns) return cells[column];
  return joinName(cells[nameParts.label] ?? "", cells[nameParts.suffix] ?? "");
}

function toRows(record: TextRecord, source: TableSource, counts: TableCounts): TableRow[] {
  const { format } = source;
  const { line, cells, fault } = record;
  if (isBlank(record)) {
    counts.blank += 1;
    return [];
  }
  if (isHeader(record, format)) {
    counts.repeatedHeaders += 1;
    return [];
  }
  if (format.kind === "table") return [toRow(record, source)];
  const [text = ""] = cells;
  if (isComment(text)) {
    counts.comments += 1;
    return [];
  }
  return splitNames(text).map((name) => ({ line, cells: [name], width: 1, fault }));
}

function toRow({ line, cells, fault }: TextRecord, { format, secret }: TableSource): TableRow {
  const known = cells.slice(0, format.columns);
  for (const column of secret) {
    if (column < known.length) known[column] = "";
  }
  const extra = cells.slice(format.columns).some((cell) => cell.trim() !== "");
  const shape = extra ? "too-many-cells" : known.length < format.columns ? "too-few-cells" : null;
  return { line, cells: known, width: cells.length, fault: fault ?? shape };
}

function isHeader({ cells }: TextRecord, { header }: TableFormat): boolean {
  return (
    header !== null &&
    cells.length >= header.length &&
    header.every((each, index) => each.trim() === cells[index]?.trim())
  );
}
