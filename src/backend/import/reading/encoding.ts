import { readHead, type ByteSource } from "./byte-source.ts";
import { ImportError } from "../import-error.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "shift_jis";

const HEAD_BYTES = 4096;

/** Files that people upload instead of a CSV, by their first bytes. */
const OTHER_FILES = [
  { starts: "PK\u0003\u0004", code: "workbook", what: "an Excel workbook or another ZIP archive" },
  { starts: "\u00d0\u00cf\u0011\u00e0", code: "workbook", what: "an old Excel workbook" },
  { starts: "%PDF-", code: "binary-file", what: "a PDF" },
  { starts: "\u001f\u008b", code: "binary-file", what: "a gzip archive" },
] as const;

/**
 * The encoding of a text file: by its byte order mark, else UTF-16 where every other byte is NUL,
 * else UTF-8 where the whole file is valid (or mostly: one torn character does not make it another
 * encoding), else Shift_JIS where it is valid and holds kana, which is what spreadsheets write in
 * Japan, else windows-1252, which is what they write in western Europe.
 *
 * @throws {ImportError} `empty-file`, `binary-file`, `workbook` or `html-page`.
 */
export async function detectEncoding(open: ByteSource): Promise<Encoding> {
  const head = await readHead(open, HEAD_BYTES);
  if (head.length === 0) {
    throw new ImportError("empty-file", "Expected a list of domain names, but the file is empty.");
  }
  refuseOtherFiles(head);
  return byMark(head) ?? utf16ByNuls(head) ?? (await eightBit(open));
}

function refuseOtherFiles(head: Uint8Array): void {
  const text = String.fromCharCode(...head.subarray(0, 256));
  const other = OTHER_FILES.find(({ starts }) => text.startsWith(starts));
  if (other) {
    const message = `Expected a CSV or text file, but this is ${other.what}: save it as CSV first.`;
    throw new ImportError(other.code, message);
  }
  if (/^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype|html|head|\?xml)\b/i.test(text)) {
    const message =
      "Expected a CSV or text file, but this is a web page: download the export again.";
    throw new ImportError("html-page", message);
  }
}

function byMark([a, b, c]: Uint8Array): Encoding | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return null;
}

/** Names, separators and digits are ASCII, so in UTF-16 half of the bytes of an export are NUL. */
function utf16ByNuls(head: Uint8Array): Encoding | null {
  const nuls: [number, number] = [0, 0];
  for (const [index, byte] of head.entries()) {
    if (byte === 0) nuls[index % 2 === 0 ? 0 : 1] += 1;
  }
  const many = head.length / 5;
  if (nuls[1] > many && nuls[0] <= nuls[1] / 20) return "utf-16le";
  if (nuls[0] > many && nuls[1] <= nuls[0] / 20) return "utf-16be";
  return null;
}

async function eightBit(open: ByteSource): Promise<Encoding> {
  if (await isUtf8(open)) return "utf-8";
  let broken = 0;
  let whole = 0;
  const decoder = new TextDecoder("utf-8");
  for await (const chunk of open()) {
    const text = decoder.decode(chunk, { stream: true });
    broken += text.match(/\ufffd/g)?.length ?? 0;
    whole += text.match(/[\u0080-\ufffc]/g)?.length ?? 0;
  }
  if (whole > broken) return "utf-8";
  return (await isShiftJis(open)) ? "shift_jis" : "windows-1252";
}

/** Kana of full width: their first bytes are signs that no western text uses. */
async function isShiftJis(open: ByteSource): Promise<boolean> {
  const decoder = new TextDecoder("shift_jis", { fatal: true });
  let kana = false;
  try {
    for await (const chunk of open()) {
      kana ||= /[ぁ-ゖァ-ヺ]/.test(decoder.decode(chunk, { stream: true }));
    }
    decoder.decode();
    return kana;
  } catch {
    return false;
  }
}

async function isUtf8(open: ByteSource): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let valid = true;
  for await (const chunk of open()) {
    if (chunk.includes(0)) throw notText();
    valid &&= decodes(decoder, chunk);
  }
  return valid && decodes(decoder);
}

/** Feeds the decoder; without a chunk, ends the stream. */
function decodes(decoder: TextDecoder, chunk?: Uint8Array): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

function notText(): ImportError {
  return new ImportError(
    "binary-file",
    "Expected a CSV or text file, but this one holds NUL bytes: it is no text.",
  );
}
