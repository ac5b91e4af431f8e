import { isBlankRecord, type CsvRecord, type QuoteFault } from "./csv.ts";
import { unreadable } from "./unreadable.ts";
import { joinName, type NameColumns } from "./name-columns.ts";
import { isComment, splitNames, type TableFormat } from "./table-format.ts";

/** More rows than any register has domains. */
const MAX_ROWS = 500_000;

/** Why some cells of a row may be under the header of another column. */
export type RowFault = QuoteFault | "too-few-cells" | "too-many-cells";

export interface TableRow {
  line: number;
  cells: string[];
  width: number;
  fault: RowFault | null;
}

export interface TableCounts {
  rows: number;
  blank: number;
  comments: number;
  repeatedHeaders: number;
}

/** How the rows of a file are found in its records; plain JSON. */
export interface TableSource {
  format: TableFormat;
  secret: readonly number[];
  /** The names are in two columns; what these make together is one more column, behind all others. */
  nameColumns?: NameColumns;
}

export class TableReader {
  readonly counts: TableCounts = { rows: 0, blank: 0, comments: 0, repeatedHeaders: 0 };
  readonly #source: TableSource;
  #toSkip: number;

  constructor(source: TableSource) {
    this.#source = source;
    this.#toSkip = source.format.skip;
  }

  /** The rows of the next records. @throws {RequestError} `too-many-rows` after 500,000. */
  read(records: readonly CsvRecord[]): TableRow[] {
    const data = records.slice(this.#toSkip);
    this.#toSkip -= records.length - data.length;
    const rows = data.flatMap((record) => this.#toRows(record));
    this.counts.rows += rows.length;
    if (this.counts.rows <= MAX_ROWS) return rows;
    const limit = MAX_ROWS.toLocaleString("en");
    const detail = `The file has more than ${limit} rows. Split it into smaller files.`;
    throw unreadable("too-many-rows", detail);
  }

  #toRows(record: CsvRecord): TableRow[] {
    const { format, secret } = this.#source;
    if (isBlankRecord(record)) {
      this.counts.blank += 1;
      return [];
    }
    if (isHeader(record, format)) {
      this.counts.repeatedHeaders += 1;
      return [];
    }
    const { line, cells, fault } = record;
    const [text = ""] = cells;
    if ((format.kind === "list" || format.separator === " ") && isComment(text)) {
      this.counts.comments += 1;
      return [];
    }
    if (format.kind === "table") return [toRow(record, format.columns, secret)];
    return splitNames(text).map((name) => ({ line, cells: [name], width: 1, fault }));
  }
}

/** A cell of a row by its column; undefined where the row ends before it. */
export function cellAt(
  cells: readonly string[],
  column: number,
  { format, nameColumns }: TableSource,
): string | undefined {
  if (nameColumns === undefined || column < format.columns) return cells[column];
  return joinName(cells[nameColumns.sld] ?? "", cells[nameColumns.tld] ?? "");
}

function toRow(
  { line, cells, fault }: CsvRecord,
  columns: number,
  secret: readonly number[],
): TableRow {
  const known = cells.slice(0, columns);
  for (const column of secret) {
    if (column < known.length) known[column] = "";
  }
  const hasMore = cells.slice(columns).some((cell) => cell.trim() !== "");
  const shape = hasMore ? "too-many-cells" : known.length < columns ? "too-few-cells" : null;
  return { line, cells: known, width: cells.length, fault: fault ?? shape };
}

/** Whether a record repeats the header, as in files that were joined. */
function isHeader({ cells }: CsvRecord, { header }: TableFormat): boolean {
  return (
    header !== null &&
    cells.length >= header.length &&
    header.every((each, index) => each.trim() === cells[index]?.trim())
  );
}
