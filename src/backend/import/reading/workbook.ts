import { SaxesParser } from "saxes";
import { fromBufferPromise, type Entry, type ZipFile } from "yauzl";
import { DAY_MS } from "../../../shared/day.ts";
import { isDomainLike } from "../values/cell-shapes.ts";
import { MAX_RECORD_LENGTH } from "./csv.ts";
import { isRequestError, type RequestError } from "../../http/request-error.ts";
import { unreadable } from "./unreadable.ts";
import { MAX_COLUMNS, tooManyColumns } from "./table-format.ts";
import { yieldIfBusy } from "../../database/event-loop.ts";

/** Characters of the texts that cells share, with a few more for each text. */
const MAX_SHARED_LENGTH = 32 * 1024 * 1024;
/** Parts of the archive: a workbook has one for each sheet and picture, and each takes 2 KB. */
const MAX_PARTS = 10_000;
const SAMPLE_ROWS = 100;

/**
 * The rows of the first visible sheet with a column of domain names, else of the first sheet (ECMA-376).
 * Only the current rows and the shared texts are in memory. @throws {RequestError}
 */
export async function* readWorkbook(file: Buffer): AsyncGenerator<string[]> {
  try {
    const { sheets, rowsOf } = await openWorkbook(file);
    for (const sheet of sheets) {
      const rows: string[][] = [];
      for await (const row of rowsOf(sheet)) {
        if (rows.push(row) === SAMPLE_ROWS) break;
      }
      if (!hasNames(rows)) continue;
      yield* rowsOf(sheet);
      return;
    }
    yield* rowsOf(sheets[0] ?? "");
  } catch (error) {
    if (isRequestError(error)) throw error;
    const detail = "This workbook is damaged. Save it again, or save the sheet as CSV.";
    throw unreadable("workbook", detail);
  }
}

async function openWorkbook(file: Buffer) {
  const zip = await fromBufferPromise(file);
  if (zip.entryCount > MAX_PARTS) throw tooLarge();
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName, entry);
  if (!parts.has("xl/workbook.xml")) {
    const detail = "This is not an Excel workbook. Save the sheet as .xlsx or CSV.";
    throw unreadable("workbook", detail);
  }
  const read = createPartReader(zip, parts);

  const pathById = new Map<string, string>();
  await forEach(read("xl/_rels/workbook.xml.rels"), ({ attributes }) => {
    const { Id: id = "", Target: target = "" } = attributes;
    pathById.set(id, target.startsWith("/") ? target.slice(1) : `xl/${target}`);
  });
  const sheets: string[] = [];
  let isFrom1904 = false;
  await forEach(read("xl/workbook.xml"), ({ kind, name, attributes }) => {
    if (kind !== "open") return;
    if (name === "workbookPr") isFrom1904 = /^(?:1|true)$/.test(attributes["date1904"] ?? "");
    if (name !== "sheet" || (attributes["state"] ?? "visible") !== "visible") return;
    const [, id = ""] = Object.entries(attributes).find(([key]) => key.endsWith(":id")) ?? [];
    sheets.push(pathById.get(id) ?? "");
  });
  const texts = await readTexts(read("xl/sharedStrings.xml", "large"));
  const formats = await readCellFormats(read("xl/styles.xml"));
  const context = { texts, formats, isFrom1904 };
  return { sheets, rowsOf: (sheet: string) => readRows(read(sheet, "large"), context) };
}

function hasNames(rows: readonly string[][]): boolean {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, index) => index).some((index) => {
    const cells = rows.map((row) => row[index] ?? "").filter((cell) => cell !== "");
    return cells.length > 0 && cells.filter(isDomainLike).length * 2 > cells.length - 1;
  });
}

async function readTexts(strings: XmlEvents): Promise<string[]> {
  const texts: string[] = [];
  let text = "";
  let length = 0;
  await forEach(strings, ({ kind, name }) => {
    if (kind === "text") text += name;
    if (kind !== "close" || name !== "si") return;
    texts.push(text);
    length += text.length + 8;
    if (length > MAX_SHARED_LENGTH) throw tooLarge();
    text = "";
  });
  return texts;
}

const MAX_ROWS = 1_048_576;

interface CellContext {
  texts: readonly string[];
  formats: readonly CellFormat[];
  /** Days are counted from 1904, as in old workbooks of a Mac. */
  isFrom1904: boolean;
}

type CellFormat = ReturnType<typeof toCellFormat>;

/** All rows of a sheet. Days are `2027-01-05`, numbers have a point, formulas their last result. */
async function* readRows(
  sheet: XmlEvents,
  context: CellContext,
): AsyncGenerator<string[], void, void> {
  let text = "";
  let cells: string[] = [];
  let cell: XmlEvent["attributes"] = {};
  let column = -1;
  let length = 0;
  let rows = 0;
  let width = 0;
  for await (const events of sheet) {
    for (const { kind, name, attributes } of events) {
      if (kind === "text") {
        text += name;
      } else if (kind === "open" && name === "row") {
        const number = Number(attributes["r"] ?? rows + 1);
        if (!(number > rows && number <= MAX_ROWS)) throw new Error(`Row ${number}`);
        for (; rows < number - 1; rows += 1) yield [];
        [cells, column, length] = [[], -1, 0];
      } else if (kind === "open" && name === "c") {
        text = "";
        cell = attributes;
        column = attributes["r"] === undefined ? column + 1 : columnOf(attributes["r"]);
      } else if (kind === "close" && name === "c") {
        const value = cellText(cell, text, context);
        // A format without a value may go as far as the last column.
        if (value === "") continue;
        if (column >= MAX_COLUMNS) throw tooManyColumns();
        length += value.length;
        if (length > MAX_RECORD_LENGTH) throw tooLarge();
        while (cells.length < column) cells.push("");
        cells[column] = value;
      } else if (kind === "close" && name === "row") {
        rows += 1;
        width = Math.max(width, cells.length);
        // The sheet leaves blank cells out.
        while (cells.length > 0 && cells.length < width) cells.push("");
        yield cells;
      }
    }
  }
}

/** The column of a reference such as `AB12`, counted from 0. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) throw new Error(`Cell ${reference}`);
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellText(
  { t: type = "n", s: style = "" }: XmlEvent["attributes"],
  value: string,
  { texts, formats, isFrom1904 }: CellContext,
): string {
  if (value === "" || type === "e") return "";
  if (type === "s") return texts[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  const number = Number(value);
  if (type !== "n" || !Number.isFinite(number)) return value;
  const { isDay = false, currency } = formats[Number(style)] ?? {};
  if (isDay && number >= 1 && number <= MAX_DAYS) {
    const days = Math.floor(number) - (isFrom1904 ? DAYS_1904_TO_1970 : DAYS_1900_TO_1970);
    return new Date(days * DAY_MS).toISOString().slice(0, 10);
  }
  // Excel stores 17 digits and shows 15: 18.99 may be 18.989999999999998.
  const text = String(Number(number.toPrecision(15)));
  return currency === undefined ? text : `${currency} ${text}`;
}

const DAYS_1900_TO_1970 = 25_569;
const DAYS_1904_TO_1970 = 24_107;
const MAX_DAYS = 2_958_465;

/** Built-in formats of days (ECMA-376 part 1, §18.8.30), those of East Asia among them. */
const DAY_FORMATS = new Set("14 15 16 17 22 27 28 29 30 31 36 50 51 52 53 54 57 58".split(" "));

async function readCellFormats(styles: XmlEvents): Promise<CellFormat[]> {
  const codes = new Map<string, string>();
  const formats: CellFormat[] = [];
  let isOfCells = false;
  await forEach(styles, ({ kind, name, attributes }) => {
    if (name === "cellXfs") isOfCells = kind === "open";
    if (kind !== "open") return;
    const { numFmtId: id = "", formatCode = "" } = attributes;
    if (name === "numFmt") codes.set(id, formatCode.slice(0, 255));
    if (name === "xf" && isOfCells) formats.push(toCellFormat(id, codes.get(id) ?? ""));
  });
  return formats;
}

/**
 * What a number in a cell is. `currency` is what stands beside it, such as `€` or `USD`.
 *
 * @param code Such as `yyyy-mm-dd` or `#,##0.00 [$€-407]`; a built-in format has none.
 */
function toCellFormat(id: string, code: string) {
  // What is in quotes, in brackets or behind a backslash stands for itself.
  const letters = code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, "");
  const [, named, sign] = /\[\$([^\]-]+)|(?<!\[)([€£¥₹$])/u.exec(code) ?? [];
  return { isDay: DAY_FORMATS.has(id) || /[dy]/i.test(letters), currency: named ?? sign };
}

/** Bytes that are unpacked of one workbook; a bomb of 64 MB would become 64 GB. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Bytes of a part that holds no rows and no texts, and bytes in which no element begins or ends. */
const MAX_SMALL_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 16_384;

/**
 * The beginning or the end of an element, or the text of a cell (`v`) or of rich text (`t`), but not how it
 * is pronounced. `name` has no prefix; of text, it is the text.
 */
interface XmlEvent {
  kind: "open" | "close" | "text";
  name: string;
  attributes: Readonly<Record<string, string>>;
}

type XmlEvents = AsyncGenerator<XmlEvent[], void, void>;

async function forEach(part: XmlEvents, take: (event: XmlEvent) => void): Promise<void> {
  for await (const events of part) events.forEach(take);
}

function tooLarge(): RequestError {
  return unreadable("workbook", "This workbook is too large. Save the sheet as CSV.");
}

/** Reads parts of a workbook as XML, and counts what it unpacks of all. A missing part is empty. */
function createPartReader(zip: ZipFile, parts: ReadonlyMap<string, Entry>) {
  let unpacked = 0;

  return async function* read(part: string, size: "small" | "large" = "small"): XmlEvents {
    const entry = parts.get(part);
    if (entry === undefined) return;
    if (entry.isEncrypted()) {
      throw unreadable("workbook", "This workbook has a password. Save it without one.");
    }
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const parser = new SaxesParser({ position: false, xmlns: false });
    let events: XmlEvent[] = [];
    let isText = false;
    let isPronunciation = false;
    const add = (kind: "open" | "close", name: string, attributes: XmlEvent["attributes"]) => {
      const local = name.slice(name.indexOf(":") + 1);
      if (local === "v" || local === "t") isText = kind === "open";
      else if (local === "rPh") isPronunciation = kind === "open";
      events.push({ kind, name: local, attributes });
    };
    parser.on("opentag", ({ name, attributes }) => add("open", name, attributes));
    parser.on("closetag", ({ name }) => add("close", name, {}));
    parser.on("text", (name) => {
      if (isText && !isPronunciation) events.push({ kind: "text", name, attributes: {} });
    });
    let quiet = 0;
    let own = 0;
    // Node.js declares the chunks of a stream as `any`.
    const chunks: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        parser.write(decoder.decode(piece, { stream: true }));
        own += piece.length;
        unpacked += piece.length;
        quiet = events.length === 0 ? quiet + piece.length : 0;
        const isTooLarge = size === "small" ? own > MAX_SMALL_BYTES : quiet > MAX_SMALL_BYTES;
        if (isTooLarge || unpacked > MAX_UNPACKED_BYTES) throw tooLarge();
        yield events;
        events = [];
        await yieldIfBusy();
      }
    }
    parser.close();
    yield events;
  };
}
