import { utf16Of } from "./encoding.ts";
import { ImportError } from "./import-error.ts";
import { readJson } from "./json-file.ts";

/** Larger workbooks and JSON files are refused: they are held in memory as a whole. */
const MAX_BYTES = 64 * 1024 * 1024;
/** By so many bytes the kind of a file is known. */
const HEAD_BYTES = 512;
/** Characters of all cells together; a workbook can repeat one text without end. */
const MAX_TEXT_LENGTH = 128 * 1024 * 1024;
/** Characters that are handed out at once. */
const PIECE_LENGTH = 16_384;

/**
 * A file as text: the first sheet with domain names of an Excel workbook, or the list in a JSON file,
 * becomes CSV in UTF-8. Any other file passes as it is.
 *
 * @throws {ImportError} `workbook`, `json`, `no-names`, `too-many-columns` or `record-too-long`.
 */
export async function* asText(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = file[Symbol.asyncIterator]();
  try {
    const head = await take(chunks, HEAD_BYTES);
    const utf16 = utf16Of(head);
    const kind = kindOf(new TextDecoder(utf16 ?? "utf-8").decode(head.subarray(0, HEAD_BYTES)));
    if (kind === "text") {
      yield head;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
      return;
    }
    const whole = Buffer.concat([head, await take(chunks, MAX_BYTES)]);
    if (whole.length > MAX_BYTES) {
      const detail = "This file is too large. Split it, or save the list as CSV.";
      throw new ImportError(kind, detail);
    }
    const inUtf8 = () =>
      utf16 === null ? whole : Buffer.from(new TextDecoder(utf16).decode(whole));
    if (kind === "json") yield* toCsv(readJson(inUtf8()));
    else yield* toCsv((await import("./workbook.ts")).readWorkbook(whole));
  } finally {
    await chunks.return?.();
  }
}

/** The next bytes, at least so many unless the file ends before. */
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

/** Rows as CSV, so that they are read as those of any other file. */
async function* toCsv(rows: AsyncIterable<readonly string[]>): AsyncGenerator<Uint8Array> {
  // The mark tells the encoding, whatever characters follow.
  let piece = "\ufeff";
  let length = 0;
  for await (const cells of rows) {
    const record = cells.map(quoteCell).join(",");
    length += record.length + 1;
    if (length > MAX_TEXT_LENGTH) {
      const detail = "The list in this file is too long. Split it into smaller files.";
      throw new ImportError("workbook", detail);
    }
    piece += `${record}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    yield Buffer.from(piece);
    piece = "";
  }
  yield Buffer.from(piece);
}

/** Quotes whatever could be taken for a separator. */
function quoteCell(cell: string): string {
  return /[",;|\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
