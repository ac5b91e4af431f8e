import { type Day, utcToday } from "../../../shared/day.ts";
import { asText, take } from "./as-text.ts";
import { ColumnSurvey, type Known } from "./column-survey.ts";
import { CsvParser, sampleCsv, slices } from "./csv.ts";
import { EncodingDetector, type Encoding } from "./encoding.ts";
import {
  type FileAnalysis,
  type RememberedLayout,
  type SurveyOptions,
  surveyRows,
  type FileTable,
} from "./file-survey.ts";
import type { HeaderMeaning } from "./headers.ts";
import { findNameColumns } from "./name-columns.ts";
import { createRowParser, type FileRow } from "./parse-row.ts";
import { findLayout } from "./registrar-layouts.ts";
import { createTableReader, type TableRow } from "./table.ts";
import { findFormat } from "./table-format.ts";
import { yieldIfBusy } from "../../database/event-loop.ts";

export interface FileOptions extends SurveyOptions {
  /** Tells an expiry from a registration where no header does; the current day by default. */
  today?: Day;
  registrars?: ReadonlySet<string>;
  /** As an earlier reading of the same file has shown. */
  encoding?: Encoding;
  /** Finds what was decided about the last file with these headers; asked of unknown layouts only. */
  recall?: (header: readonly string[]) => Promise<RememberedLayout | null>;
}

/** Bytes by which encoding, layout and columns are found: 1,000 rows or more of most exports. */
const SURVEY_BYTES = 128 * 1024;
const MAX_BATCH_ROWS = 200;
/** Characters after which a batch ends: rows with long notes take as long as many without. */
const MAX_BATCH_LENGTH = 100_000;
/** Bytes that are worked on between two chances for other requests. */
const PIECE_BYTES = 4096;

/**
 * Opens a file, to read it once. The first 128 KiB decide the encoding, the layout, what each column
 * means, and how dates and prices are read; the rest confirms or overturns that as it streams by.
 *
 * @throws {RequestError} 422 if it is no list of domain names, 400 if the given mapping does not fit.
 */
export async function openFile(bytes: AsyncIterable<Uint8Array>, options: FileOptions = {}) {
  const pieces = cut(asText(bytes));
  try {
    return await surveyFile(pieces, options);
  } catch (error) {
    await pieces.return();
    throw error;
  }
}

async function surveyFile(pieces: Pieces, options: FileOptions) {
  const head = await take(pieces, SURVEY_BYTES);
  const isComplete = head.length < SURVEY_BYTES;
  const detector = new EncodingDetector(head);
  const encoding = options.encoding ?? detector.encoding;
  const decoder = new TextDecoder(encoding);
  const text = decoder.decode(head, { stream: true });
  const { today = utcToday() } = options;
  const { table, newline } = await describeTable(text, isComplete, { ...options, today });
  const { separator, header } = table.source.format;
  const parser = new CsvParser({ separator, newline });
  const toRows = createTableReader(table.source);
  const readLast = () => {
    detector.end();
    return toRows(parser.push(decoder.decode()).concat(parser.end()));
  };
  const surveyed: TableRow[][] = [];
  for (const slice of slices(text)) {
    surveyed.push(toRows(parser.push(slice)));
    await yieldIfBusy();
  }
  if (isComplete) surveyed.push(readLast());
  const isKnown = table.layout !== null || separator === "none" || options.mapping !== undefined;
  const remembered = isKnown || header === null ? null : await options.recall?.(header);
  const about = { ...options, remembered: remembered ?? null };
  const survey = await surveyRows(table, surveyed, about);

  async function* readTable(): AsyncGenerator<TableRow[]> {
    yield* surveyed;
    if (isComplete) return;
    for await (const piece of pieces) {
      detector.add(piece);
      const rows = toRows(parser.push(decoder.decode(piece, { stream: true })));
      survey.add(rows);
      yield rows;
    }
    const rows = readLast();
    survey.add(rows);
    yield rows;
  }

  return {
    own: table.layout?.own ?? false,
    /** All rows, in batches; once. The file is closed when they end or are given up. @throws {RequestError} */
    rows() {
      const parseRow = createRowParser(survey.analyse(), survey.readings, { today, encoding });
      return batched(readTable(), parseRow);
    },
    /** What the file turned out to be; unless its rows are right, with what to read it again. */
    finish(): {
      analysis: FileAnalysis;
      overturned: Pick<FileOptions, "encoding" | "readings"> | null;
    } {
      const analysis = survey.analyse();
      if (detector.encoding !== encoding) {
        return { analysis, overturned: { encoding: detector.encoding } };
      }
      const readings = survey.overturned();
      return { analysis, overturned: readings && { encoding, readings } };
    },
  };
}

async function* batched(
  table: AsyncIterable<TableRow[]>,
  parseRow: (row: TableRow) => FileRow,
): AsyncGenerator<FileRow[], void, void> {
  const lineByName = new Map<string, number>();
  let batch: FileRow[] = [];
  let length = 0;
  for await (const rows of table) {
    for (const each of rows) {
      const row = parseRow(each);
      if (row.name !== null) {
        row.repeats = lineByName.get(row.name.name) ?? null;
        if (row.repeats === null) lineByName.set(row.name.name, row.line);
      }
      batch.push(row);
      for (const cell of each.cells) length += cell.length;
      if (batch.length === MAX_BATCH_ROWS || length > MAX_BATCH_LENGTH) {
        yield batch;
        batch = [];
        length = 0;
      }
    }
    // Also where a piece has no rows at all.
    await yieldIfBusy();
  }
  if (batch.length > 0) yield batch;
}

type Pieces = AsyncGenerator<Uint8Array, void, void>;

/** Pieces that take no more than a few milliseconds each, also where a source has large chunks. */
async function* cut(bytes: AsyncIterable<Uint8Array>): Pieces {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES);
    }
  }
}

/** How a file is laid out, and all of its columns, with one more for a name in two. */
async function describeTable(
  text: string,
  isComplete: boolean,
  { today, registrars = new Set() }: FileOptions & Pick<Known, "today">,
): Promise<{ table: FileTable; newline: "any" | "crlf" }> {
  const format = await findFormat(text, isComplete);
  const layout = format.header && findLayout(format.header);
  const own = layout?.own ?? false;
  const dialect = { separator: format.separator, newline: "any" } as const;
  const nameColumns =
    layout === null && format.header !== null
      ? await findNameColumns(format, sampleCsv(text, dialect, isComplete))
      : null;
  const known = { today, registrars };
  const columns = Array.from({ length: format.columns }, (_, index) => {
    // Headers of our own export mean nothing but its fields.
    const isUnused = own || index === nameColumns?.sld || index === nameColumns?.tld;
    const header = format.header?.[index] ?? null;
    return new ColumnSurvey(header, known, isUnused ? UNUSED : undefined);
  });
  if (nameColumns !== null) {
    const parts = [nameColumns.sld, nameColumns.tld].map((index) => columns[index]?.header?.trim());
    const meaning = nameColumns.confidence === "high" ? NAME : UNUSED;
    columns.push(new ColumnSurvey(parts.join(" + "), known, meaning));
  }
  const secret = columns.flatMap(({ isSecret }, index) => (isSecret ? [index] : []));
  const source = { format, secret, ...(nameColumns && { nameColumns }) };
  // Our own export ends records in CRLF, and keeps the line breaks of notes as they are.
  const isExact = own && /^[^\n]*\r\n/.test(text);
  return { table: { source, layout, columns }, newline: isExact ? "crlf" : "any" };
}

const UNUSED: HeaderMeaning = { kind: "unused" };
const NAME: HeaderMeaning = { kind: "field", field: "name", confidence: "high" };
