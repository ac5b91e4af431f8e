import { isDomainLike, isNameserverLike } from "../values/cell-shapes.ts";
import { parseDate } from "../values/dates.ts";
import { isBlankRecord, sampleCsv, splitAtBlanks, type CsvDialect, type CsvRecord } from "./csv.ts";
import { readHeader } from "./headers.ts";
import type { RequestError } from "../../http/request-error.ts";
import { unreadable } from "./unreadable.ts";
import { findLayout } from "./registrar-layouts.ts";
import { yieldIfBusy } from "../../database/event-loop.ts";

/** How the text of a file is laid out; plain JSON. */
export interface TableFormat {
  /** `none`: a list, nothing but names, one or more on a line. */
  separator: CsvDialect["separator"];
  header: string[] | null;
  /** Records before the first row of data: `sep=`, preamble, header. */
  skip: number;
  columns: number;
}

const SEPARATORS = [",", ";", "\t", "|"] as const;
const MAX_PREAMBLE_RECORDS = 30;
export const MAX_COLUMNS = 500;
const MAX_LIST_SAMPLE = 200;

const NAMES: TableFormat = { separator: "none", header: null, skip: 0, columns: 1 };

interface Candidate {
  separator: (typeof SEPARATORS)[number];
  records: readonly CsvRecord[];
  /** 1 after a line `sep=`, else 0. */
  start: number;
}

/** Finds separator, preamble and header. Unless `isComplete`, the last record may be cut. @throws 422 */
export async function findFormat(head: string, isComplete: boolean): Promise<TableFormat> {
  if (isComplete && head.trim() === "") {
    throw unreadable("empty-file", "The file is empty. Choose another file.");
  }
  const stated = /^\s*"?sep=([,;\t|])"?[ \t]*[\r\n]/i.exec(head)?.[1];
  const separators = SEPARATORS.filter((each) => stated === undefined || each === stated);
  const start = stated === undefined ? 0 : 1;
  const tables: Candidate[] = [];
  for (const separator of separators) {
    const records = sampleCsv(head, { separator, newline: "any" }, isComplete);
    tables.push({ separator, records, start });
    await yieldIfBusy();
  }
  const lines = sampleCsv(head, { separator: "none", newline: "any" }, isComplete);
  const headed = await formatByHeader(tables);
  const format = headed
    ? (asHeadedList(headed, lines) ?? headed.format)
    : (asDatedList(lines) ?? (isNameList(lines) ? NAMES : formatByShape(tables)));
  if (format === null) {
    const detail = "No domain names were found. Choose a file with one domain in each row.";
    throw unreadable("no-names", detail);
  }
  if (format.columns > MAX_COLUMNS) throw tooManyColumns();
  return format;
}

export function tooManyColumns(): RequestError {
  const detail = `The file has more than ${MAX_COLUMNS} columns. Remove those that you don’t need.`;
  return unreadable("too-many-columns", detail);
}

export function isComment(line: string): boolean {
  return line.trimStart().startsWith("#");
}

/** The names on a line of a bare list, or the whole line where it is no list, to be refused. */
export function splitNames(line: string): string[] {
  const texts = line.split(/[,;|\t]/).map(unquote);
  return texts
    .filter((text) => text !== "")
    .flatMap((text) => {
      const words = text.split(/\s+/).map(unquote);
      return words.every(isDomainLike) ? words : [text];
    });
}

function unquote(text: string): string {
  return text
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2")
    .trim();
}

async function formatByHeader(tables: readonly Candidate[]) {
  let best: { score: number; format: TableFormat; line: number } | null = null;
  for (const table of tables) {
    for (const [index, record] of table.records.slice(0, MAX_PREAMBLE_RECORDS).entries()) {
      const score = index < table.start ? 0 : scoreHeader(record.cells);
      await yieldIfBusy();
      if (score <= (best?.score ?? 0)) continue;
      best = { score, format: headerFormat(table, index), line: record.line };
    }
  }
  return best;
}

/** How many headers a row has; 0 where it may be a row of data. */
function scoreHeader(cells: readonly string[]): number {
  // Of a wider row the first cells tell enough: the file will be refused.
  const filled = cells.slice(0, MAX_COLUMNS + 1).filter((cell) => cell.trim() !== "");
  if (findLayout(cells) !== null) return 1000 + filled.length;
  const meanings = filled.map((cell) => ({ cell, meaning: readHeader(cell) }));
  const known = meanings.filter(({ meaning }) => meaning !== null);
  // "domain.name" is a name of its own; beside other headers it is one of them.
  const certain = known.filter(({ cell }) => !isDomainLike(cell));
  if (certain.length >= 2 && known.length * 3 >= filled.length) return known.length;
  const [only] = certain;
  const isName = only?.meaning?.kind === "field" && only.meaning.field === "name";
  return isName && filled.length <= 3 ? known.length : 0;
}

/** Names may stand several to a line under a single header, too. */
function asHeadedList(
  { format, line: skip }: { format: TableFormat; line: number },
  lines: readonly CsvRecord[],
): TableFormat | null {
  const header = format.header?.filter((cell) => cell.trim() !== "") ?? [];
  const below = lines.filter(({ line }) => line > skip);
  if (header.length !== 1 || !isNameList(below)) return null;
  return { ...NAMES, header, skip };
}

/** Most lines are a name, or a name, blanks and a date. */
function asDatedList(lines: readonly CsvRecord[]): TableFormat | null {
  const sample = sampleOf(lines);
  const rows = sample.map(splitAtBlanks).filter(([name]) => isDomainLike(name));
  const dated = rows.filter(([, rest]) => /^(?:day|parts)$/.test(parseDate(rest).kind));
  const alone = rows.filter(([, rest]) => rest === "");
  const isSeveral = (names: string[]) => names.length > 1 && names.every(isDomainLike);
  const isDated = dated.length > 0 && (dated.length + alone.length) * 2 >= sample.length;
  if (!isDated || sample.some((line) => isSeveral(splitNames(line)))) return null;
  return { separator: " ", header: null, skip: 0, columns: 2 };
}

function sampleOf(lines: readonly CsvRecord[]): string[] {
  const filled = lines.map(({ cells }) => cells[0] ?? "").filter((line) => line.trim() !== "");
  return filled.filter((line) => !isComment(line)).slice(0, MAX_LIST_SAMPLE);
}

function isNameList(lines: readonly CsvRecord[]): boolean {
  const sample = sampleOf(lines);
  const lists = sample.map(splitNames).filter((names) => names.every(isDomainLike));
  // A row of a table may be a name and its nameservers, which are not imported.
  const hasServers = lists.some((names) => names.slice(1).some(isNameserverLike));
  return lists.length > 0 && lists.length * 2 >= sample.length && !hasServers;
}

/** The separator under which most rows have the same number of cells, one of them a name. */
function formatByShape(tables: readonly Candidate[]): TableFormat | null {
  let best: { score: number; format: TableFormat } | null = null;
  for (const table of tables) {
    const rows = table.records.slice(table.start).filter((record) => !isBlankRecord(record));
    const width = usualWidth(rows);
    const alike = rows.filter(({ cells }) => cells.length === width && cells.some(isDomainLike));
    const score = (alike.length / Math.max(rows.length, 1)) * (width > 1 ? 2 : 1);
    const [first] = alike;
    if (first === undefined || score <= (best?.score ?? 0.2)) continue;
    best = { score, format: shapeFormat(table, first, width) };
  }
  return best?.format ?? null;
}

/** A row above the first name is a header if it is as wide and all words, or a cell means the name. */
function shapeFormat(table: Candidate, first: CsvRecord, width: number): TableFormat {
  const index = table.records.indexOf(first);
  const above = table.records[index - 1];
  const isHeader =
    width > 1 &&
    above?.cells.length === width &&
    index > table.start &&
    (above.cells.some(meansName) ||
      above.cells.every((cell) => cell.trim() !== "" && !/\d/.test(cell) && !cell.includes("@")));
  if (isHeader) return headerFormat(table, index - 1);
  const firstWide = table.records.findIndex(({ cells }) => cells.length === width);
  const skip = Math.max(table.start, firstWide);
  return { separator: table.separator, header: null, skip, columns: width };
}

function meansName(cell: string): boolean {
  const meaning = isDomainLike(cell) ? null : readHeader(cell);
  return meaning?.kind === "field" && meaning.field === "name" && meaning.confidence === "high";
}

function headerFormat({ separator, records }: Candidate, index: number): TableFormat {
  const header = records[index]?.cells ?? [];
  return { separator, header, skip: index + 1, columns: header.length };
}

function usualWidth(rows: readonly CsvRecord[]): number {
  const byWidth = [...Map.groupBy(rows, ({ cells }) => cells.length)];
  return byWidth.toSorted(([, some], [, others]) => others.length - some.length)[0]?.[0] ?? 0;
}
