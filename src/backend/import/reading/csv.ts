import { unreadable } from "./unreadable.ts";

/** A record without an end is refused at this length; the longest notes have 10,000 characters. */
export const MAX_RECORD_LENGTH = 200_000;

export type QuoteFault = "stray-quote" | "unclosed-quote";

/** One record of a file. `line` is where it starts, counted from 1 with quoted line breaks. */
export interface CsvRecord {
  line: number;
  cells: string[];
  fault: QuoteFault | null;
}

/**
 * How records are told apart: RFC 4180, but for the separator. `none` is one cell for each line.
 * With `newline: "any"`, CR, LF and CRLF all end a record, and are LF inside quotes; with `crlf` only
 * CRLF does, and text in quotes stays as it is.
 */
export interface CsvDialect {
  separator: "," | ";" | "\t" | "|" | " " | "none";
  newline: "any" | "crlf";
}

/** Splits text into records as it arrives, in linear time. It holds the unfinished record only. */
export class CsvParser {
  readonly #separator: CsvDialect["separator"];
  readonly #newline: "\n" | "\r\n";
  #line = 1;
  #rest = "";
  /** A CR at the end of a piece, which may be the first half of a CRLF. */
  #heldCr = "";
  /** The record whose quoted cell goes on in the next line. */
  #open: OpenRecord | null = null;

  constructor({ separator, newline }: CsvDialect) {
    this.#separator = separator;
    this.#newline = newline === "any" ? "\n" : "\r\n";
  }

  /** The records that end in the next piece of text. @throws {RequestError} `record-too-long` */
  push(text: string): CsvRecord[] {
    const piece = this.#unify(this.#heldCr + text);
    // Joined only where a line ends, so that a long line is not copied for each of its pieces.
    if (!piece.includes("\n")) {
      this.#rest += piece;
      this.#checkLength(this.#rest.length);
      return [];
    }
    const lines = (this.#rest + piece).split(this.#newline);
    this.#rest = lines.pop() ?? "";
    const records = lines.flatMap((line) => this.#addLine(line) ?? []);
    this.#checkLength(this.#rest.length);
    return records;
  }

  /** The last record, where the text does not end in a line break. @throws {RequestError} */
  end(): CsvRecord[] {
    const records = this.#heldCr === "" ? [] : this.push("\n");
    const rest = this.#rest;
    this.#rest = "";
    if (rest === "" && this.#open === null) return records;
    const last = this.#addLine(rest);
    return [...records, last ?? this.#closeUnclosed()];
  }

  /** Makes every line break LF, unless only CRLF is one. */
  #unify(text: string): string {
    if (this.#newline === "\r\n" || !text.includes("\r")) return text;
    this.#heldCr = text.endsWith("\r") ? "\r" : "";
    return text.slice(0, text.length - this.#heldCr.length).replace(/\r\n?/g, "\n");
  }

  /** Adds a line without its break; returns the record that it ends, if it ends one. */
  #addLine(line: string): CsvRecord | null {
    const record = this.#open ?? {
      line: this.#line,
      cells: [],
      quoted: null,
      fault: null,
      size: 0,
    };
    this.#line += 1 + (this.#newline === "\n" ? 0 : (line.match(/\r|\n/g)?.length ?? 0));
    record.size += line.length + 1;
    this.#open = record;
    this.#checkLength(0);
    if (this.#separator === "none") record.cells.push(line);
    else if (this.#separator === " ") record.cells = splitAtBlanks(line);
    else if (record.quoted === null && !line.includes('"')) {
      record.cells = line.split(this.#separator);
    } else if (!readQuoted(record, line, this.#separator, this.#newline)) {
      return null;
    }
    this.#open = null;
    return { line: record.line, cells: record.cells, fault: record.fault };
  }

  #closeUnclosed(): CsvRecord {
    const { line = this.#line, cells = [], quoted = "" } = this.#open ?? {};
    this.#open = null;
    return { line, cells: [...cells, quoted ?? ""], fault: "unclosed-quote" };
  }

  #checkLength(rest: number): void {
    if ((this.#open?.size ?? 0) + rest <= MAX_RECORD_LENGTH) return;
    const limit = MAX_RECORD_LENGTH.toLocaleString("en");
    const line = this.#open?.line ?? this.#line;
    const detail = `The row that starts on line ${line} is longer than ${limit} characters. Look for a quotation mark that is never closed.`;
    throw unreadable("record-too-long", detail);
  }
}

export function splitAtBlanks(line: string): [string, string] {
  const [first = ""] = line.trim().split(" ", 1);
  return [first, line.trim().slice(first.length).trim()];
}

interface OpenRecord extends CsvRecord {
  /** What has arrived of a quoted cell that is not closed yet. */
  quoted: string | null;
  size: number;
}

/** Reads the cells of a line with quotes; false where its last cell goes on in the next line. */
function readQuoted(record: OpenRecord, line: string, separator: string, newline: string): boolean {
  if (record.quoted !== null) record.quoted += newline;
  for (let at = 0; ;) {
    if (record.quoted === null && line[at] !== '"') {
      const end = line.indexOf(separator, at);
      record.cells.push(line.slice(at, end === -1 ? line.length : end));
      if (end === -1) return true;
      at = end + 1;
      continue;
    }
    if (record.quoted === null) at += 1;
    const { close, next, isStray } = findClosingQuote(line, at, separator);
    if (isStray) record.fault = "stray-quote";
    const text = line.slice(at, close === -1 ? line.length : close).replaceAll('""', '"');
    record.quoted = (record.quoted ?? "") + text;
    if (close === -1) return false;
    record.cells.push(record.quoted);
    record.quoted = null;
    if (next === line.length) return true;
    at = next + 1;
  }
}

/** Finds the quote that ends a cell, and the separator or end behind it. Other quotes are stray. */
function findClosingQuote(line: string, from: number, separator: string) {
  let isStray = false;
  for (let at = from; ;) {
    const close = line.indexOf('"', at);
    if (close === -1) return { close, next: line.length, isStray };
    if (line[close + 1] === '"') {
      at = close + 2;
      continue;
    }
    let next = close + 1;
    while (next < line.length && line[next] !== separator && line[next]?.trim() === "") next += 1;
    if (next === line.length || line[next] === separator) return { close, next, isStray };
    isStray = true;
    at = next;
  }
}

const MAX_SAMPLE_RECORDS = 1000;
/** Characters that are split at once, so that a text of nothing but line breaks takes no longer. */
const SLICE_LENGTH = 2048;

/** The first 1,000 records of a text and a few more. Unless the text `isComplete`, its last one is left out. */
export function sampleCsv(text: string, dialect: CsvDialect, isComplete: boolean): CsvRecord[] {
  const parser = new CsvParser(dialect);
  let records: CsvRecord[] = [];
  for (const slice of slices(text)) {
    records = records.concat(parser.push(slice));
    if (records.length >= MAX_SAMPLE_RECORDS) return records;
  }
  return isComplete ? records.concat(parser.end()) : records;
}

export function* slices(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += SLICE_LENGTH) yield text.slice(at, at + SLICE_LENGTH);
}

export function isBlankRecord({ cells }: CsvRecord): boolean {
  return cells.every((cell) => cell.trim() === "");
}
