import Papa from "papaparse";
import { ImportError } from "../import-error.ts";

/** A line that ends nowhere is refused at this length, in characters; notes hold 10,000 at most. */
const MAX_RECORD = 200_000;

/** How the quotes of a record are wrong: its cells may then be shifted, and are not to be shown. */
export type QuoteFault = "stray-quote" | "unclosed-quote";

/** One record of the file: `line` is where it starts, counted from 1 with quoted line breaks. */
export interface TextRecord {
  line: number;
  cells: string[];
  fault: QuoteFault | null;
}

/** How records are told apart: RFC 4180, but for the separator; "none" is one cell per line. */
export interface Dialect {
  separator: "," | ";" | "\t" | "|" | "none";
  newline: "\n" | "\r\n";
}

/**
 * The records of a text, in batches of what one piece of it held; blank lines are records too.
 * What is kept meanwhile is one piece and one record.
 *
 * @throws {ImportError} `record-too-long` at 200,000 characters without an end.
 */
export async function* readRecords(
  text: AsyncIterable<string>,
  dialect: Dialect,
): AsyncGenerator<TextRecord[]> {
  let line = 1;
  let rest = "";
  for await (const piece of text) {
    rest += piece;
    const { records, used } = parseRecords(rest, dialect, { line, complete: false });
    rest = rest.slice(used);
    const last = records.at(-1);
    if (last) line = last.line + linesOf(last);
    if (rest.length > MAX_RECORD) throw tooLong(line);
    yield records;
  }
  if (rest !== "") yield parseRecords(rest, dialect, { line, complete: true }).records;
}

/** The records of a piece of text; without `complete`, the last one is left for the next piece. */
export function parseRecords(
  text: string,
  dialect: Dialect,
  { line = 1, complete = true }: { line?: number; complete?: boolean } = {},
): { records: TextRecord[]; used: number } {
  const parser = new Papa.Parser(options(dialect));
  // The types of papaparse say `any` here; its data without a header row are rows of strings.
  const parsed: Papa.ParseResult<string[]> = parser.parse(text, 0, !complete);
  const faults = new Map(parsed.errors.map(({ row, code }) => [row, code]));
  let at = line;
  const records = parsed.data.map((cells, index): TextRecord => {
    const record = { line: at, cells, fault: quoteFault(faults.get(index)) };
    at += linesOf(record);
    if (sizeOf(cells) > MAX_RECORD) throw tooLong(record.line);
    return record;
  });
  // A line break at the very end closes the last record; it does not begin another one.
  if (complete && text.endsWith(dialect.newline) && isBlank(records.at(-1))) records.pop();
  return { records, used: parsed.meta.cursor };
}

/** Whether a record says nothing at all. */
export function isBlank(record: TextRecord | undefined): boolean {
  return record !== undefined && record.cells.every((cell) => cell.trim() === "");
}

function options({ separator, newline }: Dialect): Papa.ParseConfig {
  // With a character that no text file holds, a line is one cell whatever is in it.
  if (separator === "none") return { delimiter: "\u0000", quoteChar: "\u0000", newline };
  return { delimiter: separator, newline };
}

function quoteFault(code: string | undefined): QuoteFault | null {
  if (code === "MissingQuotes") return "unclosed-quote";
  return code === "InvalidQuotes" ? "stray-quote" : null;
}

function linesOf({ cells }: TextRecord): number {
  let lines = 1;
  for (const cell of cells) {
    if (cell.includes("\n") || cell.includes("\r")) lines += cell.match(/\r\n?|\n/g)?.length ?? 0;
  }
  return lines;
}

function sizeOf(cells: readonly string[]): number {
  return cells.reduce((size, cell) => size + cell.length, 0);
}

function tooLong(line: number): ImportError {
  const limit = MAX_RECORD.toLocaleString("en");
  return new ImportError(
    "record-too-long",
    `Expected rows of at most ${limit} characters, but the one that starts on line ${line} is longer. A quotation mark that is never closed can cause this.`,
  );
}
