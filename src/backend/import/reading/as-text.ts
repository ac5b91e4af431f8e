import { encodingOf } from "./encoding.ts";
import { unreadable } from "./unreadable.ts";
import { MAX_RECORD_LENGTH } from "./csv.ts";
import { MAX_COLUMNS, tooManyColumns } from "./table-format.ts";
import { yieldIfBusy } from "../../database/event-loop.ts";

/** Larger workbooks and JSON files are refused: they are held in memory as a whole. */
const MAX_BYTES = 64 * 1024 * 1024;
/** After this many bytes the kind of a file is known. */
const HEAD_BYTES = 512;
/** Characters of all cells together; a workbook can repeat one text without end. */
const MAX_TEXT_LENGTH = 128 * 1024 * 1024;
const PIECE_LENGTH = 16_384;

/** Makes CSV of an Excel workbook or a JSON file; other files pass. @throws {RequestError} */
export async function* asText(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = file[Symbol.asyncIterator]();
  try {
    const head = await take(chunks, HEAD_BYTES);
    const encoding = encodingOf(head) ?? "utf-8";
    const kind = kindOf(new TextDecoder(encoding).decode(head.subarray(0, HEAD_BYTES)));
    if (kind === "text") {
      yield head;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
      return;
    }
    const whole = Buffer.concat([head, await take(chunks, MAX_BYTES)]);
    if (whole.length > MAX_BYTES) {
      const detail = "This file is too large. Split it, or save the list as CSV.";
      throw unreadable(kind, detail);
    }
    if (kind === "workbook") {
      yield* toCsv((await import("./workbook.ts")).readWorkbook(whole));
      return;
    }
    const isUtf8 = encoding === "utf-8";
    const json = isUtf8 ? whole : Buffer.from(new TextDecoder(encoding).decode(whole));
    yield* toCsv(readJson(json));
  } finally {
    await chunks.return?.();
  }
}

/** The next bytes, at least this many unless the file ends before. */
export async function take(chunks: AsyncIterator<Uint8Array>, bytes: number): Promise<Buffer> {
  const taken: Uint8Array[] = [];
  for (let size = 0; size < bytes;) {
    const chunk = await chunks.next();
    if (chunk.done) break;
    taken.push(chunk.value);
    size += chunk.value.length;
  }
  return Buffer.concat(taken);
}

function kindOf(text: string): "workbook" | "json" | "text" {
  if (text.startsWith("PK\u0003\u0004")) return "workbook";
  return /^\s*(?:\[\s*[\]{]|\{\s*["}])/.test(text) ? "json" : "text";
}

async function* toCsv(rows: AsyncIterable<readonly string[]>): AsyncGenerator<Uint8Array> {
  // The mark tells the encoding, whatever characters follow.
  let piece = "\ufeff";
  let length = 0;
  for await (const cells of rows) {
    const record = cells.map(quoteCell).join(",");
    length += record.length + 1;
    if (length > MAX_TEXT_LENGTH) {
      const detail = "The list in this file is too long. Split it into smaller files.";
      throw unreadable("workbook", detail);
    }
    piece += `${record}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    yield Buffer.from(piece);
    piece = "";
  }
  yield Buffer.from(piece);
}

function quoteCell(cell: string): string {
  return /[",;|\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const MAX_DEPTH = 32;
/** What precedes a list: itself, or objects around it, as in `{"data": {"domains": [`. */
const LIST = /^\{*\[$/;

const DAMAGED = "This JSON file is damaged or cut off. Download it again.";

const [QUOTE, BACKSLASH, BRACKET, BRACE] = [0x22, 0x5c, 0x5b, 0x7b];
/** What a bracket closes, by its code. */
const OPENING: Readonly<Record<number, string>> = { 0x5d: "[", 0x7d: "{" };

/** The first list of objects, as rows. Dots join nested keys, commas several values of one. */
async function* readJson(file: Buffer): AsyncGenerator<string[]> {
  const keys = new Set<string>();
  for await (const object of listObjects(file)) {
    for (const key of object.keys()) keys.add(key);
    if (keys.size > MAX_COLUMNS) throw tooManyColumns();
  }
  if (keys.size === 0) {
    throw unreadable("no-names", "This JSON file holds no list of domains.");
  }
  yield [...keys];
  for await (const object of listObjects(file)) yield [...keys].map((key) => object.get(key) ?? "");
}

async function* listObjects(file: Buffer): AsyncGenerator<Map<string, string>> {
  let open = "";
  let isText = false;
  let start = 0;
  let found = false;
  for (let at = 0; at < file.length; at += 1) {
    if (at % 4096 === 0) await yieldIfBusy();
    const code = file[at] ?? 0;
    if (code === QUOTE) isText = !isText;
    else if (isText) at += code === BACKSLASH ? 1 : 0;
    else if (code === BRACKET || code === BRACE) {
      if (LIST.test(open)) start = at;
      open += String.fromCharCode(code);
      if (open.length > MAX_DEPTH) throw unreadable("json", DAMAGED);
    } else if (OPENING[code] !== undefined) {
      if (!open.endsWith(OPENING[code])) throw unreadable("json", DAMAGED);
      open = open.slice(0, -1);
      if (found && !open.includes("[")) return;
      if (!LIST.test(open)) continue;
      found = true;
      yield parseObject(file.subarray(start, at + 1));
    }
  }
  if (open !== "" || isText) throw unreadable("json", DAMAGED);
}

function parseObject(bytes: Buffer): Map<string, string> {
  if (bytes.length > MAX_RECORD_LENGTH) {
    const detail = "An entry of this JSON file is too long. Save the list as CSV.";
    throw unreadable("record-too-long", detail);
  }
  const values = new Map<string, string>();
  try {
    flatten(JSON.parse(bytes.toString()), "", values);
  } catch {
    throw unreadable("json", DAMAGED);
  }
  return values;
}

function flatten(value: unknown, key: string, values: Map<string, string>): void {
  if (Array.isArray(value)) {
    for (const item of value) flatten(item, key, values);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      flatten(inner, key === "" ? name : `${key}.${name}`, values);
    }
  } else {
    const [before, text] = [values.get(key), String(value ?? "")];
    values.set(key, before ? `${before}, ${text}` : text);
  }
}
