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
  /** No more than the row has: where few of many columns are filled, blank ones would take most memory. */
  cells: string[];
  width: number;
  fault: RowFault | null;
}

/** How the rows of a file are found in its records; plain JSON. */
export interface TableSource {
  format: TableFormat;
  secret: readonly number[];
  /** The names are in two columns; what these make together is one more column, behind all others. */
  nameColumns?: NameColumns;
}

/** Makes rows of records as they arrive. @throws {RequestError} `too-many-rows` after 500,000. */
export function createTableReader(source: TableSource) {
  let toSkip = source.format.skip;
  let count = 0;
  return (records: readonly CsvRecord[]): TableRow[] => {
    const data = records.slice(toSkip);
    toSkip -= records.length - data.length;
    const rows = data.flatMap((record) => toRows(record, source));
    count += rows.length;
    if (count <= MAX_ROWS) return rows;
    const limit = MAX_ROWS.toLocaleString("en");
    const detail = `The file has more than ${limit} rows. Split it into smaller files.`;
    throw unreadable("too-many-rows", detail);
  };
}

/** None of a blank record, a comment, or the header once more; several of a line of a list. */
function toRows(record: CsvRecord, source: TableSource): TableRow[] {
  const { line, cells, fault } = record;
  const { format } = source;
  const [text = ""] = cells;
  const isList = format.separator === "none";
  const mayComment = isList || format.separator === " ";
  if (isBlankRecord(record) || isHeader(record, format) || (mayComment && isComment(text)))
    return [];
  if (!isList) return [toRow(record, source)];
  return splitNames(text).map((name) => ({ line, cells: [name], width: 1, fault }));
}

/** The cell of a row in a column of the survey; "" where the row ends before it. */
export function cellAt(
  cells: readonly string[],
  column: number,
  { format, nameColumns }: TableSource,
): string {
  if (nameColumns === undefined || column < format.columns) return cells[column] ?? "";
  return joinName(cells[nameColumns.sld] ?? "", cells[nameColumns.tld] ?? "");
}

function toRow(
  { line, cells, fault }: CsvRecord,
  { format: { columns }, secret }: TableSource,
): TableRow {
  const width = cells.length;
  const hasMore = cells.slice(columns).some((cell) => cell.trim() !== "");
  const shape = hasMore ? "too-many-cells" : width < columns ? "too-few-cells" : null;
  const known = cells.slice(0, columns);
  for (const column of secret) {
    if (column < known.length) known[column] = "";
  }
  return { line, cells: known, width, fault: fault ?? shape };
}

function isHeader({ cells }: CsvRecord, { header }: TableFormat): boolean {
  return (
    header !== null &&
    cells.length >= header.length &&
    header.every((each, index) => each.trim() === cells[index]?.trim())
  );
}
