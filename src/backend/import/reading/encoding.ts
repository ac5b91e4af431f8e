import { readUrlHost } from "../../../shared/url-host.ts";
import { unreadable } from "./unreadable.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "shift_jis";

/** Bytes in which UTF-16 without a byte order mark shows. */
const UTF16_SAMPLE_BYTES = 4096;

/** Files that people upload instead of a CSV, by their first bytes. */
const OTHER_FILES = [
  {
    // The container of OLE, around .xls and around an encrypted .xlsx.
    starts: "\u00d0\u00cf\u0011\u00e0",
    code: "workbook",
    detail: "This workbook has a password or an old format. Save it as .xlsx without a password.",
  },
  { starts: "%PDF-", code: "binary-file", detail: "This is a PDF. Export the list as CSV." },
  {
    starts: "\u001f\u008b",
    code: "binary-file",
    detail: "This is a gzip archive. Unpack it and choose the file inside.",
  },
] as const;

/**
 * Finds the encoding of a text while its bytes pass by: that of its byte order mark, UTF-16 if every
 * other byte is NUL, UTF-8 if most characters are valid, Shift_JIS, which spreadsheets write in Japan, if
 * it is valid and has kana, else windows-1252, which they write in western Europe.
 */
export class EncodingDetector {
  readonly #utf16OrMarked: Encoding | null;
  readonly #utf8 = new StrictDecoder("utf-8");
  readonly #shiftJis = new StrictDecoder("shift_jis");
  readonly #lenient = new TextDecoder("utf-8");
  #brokenCharacters = 0;
  #wholeCharacters = 0;
  #hasKana = false;

  /** Takes the first 4,096 bytes of the file, or all. @throws {RequestError} */
  constructor(head: Uint8Array) {
    refuseOtherFiles(head);
    this.#utf16OrMarked = encodingOf(head);
    this.add(head);
  }

  /** Looks at the next bytes. @throws {RequestError} `binary-file` */
  add(bytes: Uint8Array): void {
    if (this.#utf16OrMarked !== null) return;
    if (bytes.includes(0)) {
      throw unreadable("binary-file", "This isn’t a text file. Export it as CSV.");
    }
    this.#utf8.decode(bytes);
    const text = this.#lenient.decode(bytes, { stream: true });
    this.#brokenCharacters += text.match(/\ufffd/g)?.length ?? 0;
    this.#wholeCharacters += text.match(/[\u0080-\ufffc]/g)?.length ?? 0;
    this.#hasKana ||= /[ぁ-ゖァ-ヺ]/.test(this.#shiftJis.decode(bytes));
  }

  /** Tells that there are no more bytes: a character that is cut off at the end is a broken one. */
  end(): void {
    this.#utf8.decode();
    this.#shiftJis.decode();
  }

  get encoding(): Encoding {
    if (this.#utf16OrMarked !== null) return this.#utf16OrMarked;
    if (this.#utf8.isValid || this.#wholeCharacters > this.#brokenCharacters) return "utf-8";
    // Full-width kana begin with bytes that are signs which no western text uses.
    return this.#shiftJis.isValid && this.#hasKana ? "shift_jis" : "windows-1252";
  }
}

/** Not 0x80 to 0x9F, where Mac Roman has the letters of western Europe. */
const HIGH_BYTES = Uint8Array.from({ length: 0x60 }, (_, at) => 0xa0 + at);
const [WESTERN = "", ...OTHERS] = (["windows-1252", "windows-1250", "windows-1254"] as const).map(
  (encoding) => new TextDecoder(encoding).decode(HIGH_BYTES),
);
/** What a name may have of the bytes that mean the same in western and central Europe and Turkey. */
const COMMON_LETTERS = Array.from(WESTERN).filter(
  (letter, at) => /[\p{L}·]/u.test(letter) && OTHERS.every((other) => other[at] === letter),
);
/** Beside accented letters one of ASCII: of Cyrillic and Greek every letter becomes an accented one. */
const CERTAIN_LABEL = new RegExp(
  `^(?:\\p{ASCII}*|(?=.*[a-zA-Z])[\\p{ASCII}${COMMON_LETTERS.join("")}]*)$`,
  "su",
);

/** Whether a name, or the URL that it is in, may be another one, since windows-1252 is only a guess. */
export function mayBeMisread(cell: string, encoding: Encoding): boolean {
  if (encoding !== "windows-1252") return false;
  const name = readUrlHost(cell) ?? cell.trim();
  return !name.split(".").every((label) => CERTAIN_LABEL.test(label));
}

/** Decodes until the first byte that is not valid, and nothing after it. */
class StrictDecoder {
  readonly #decoder: TextDecoder;
  isValid = true;

  constructor(encoding: Encoding) {
    this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  /** The text of the next bytes; without any, there are no more. */
  decode(bytes?: Uint8Array): string {
    try {
      return this.isValid ? this.#decoder.decode(bytes, { stream: bytes !== undefined }) : "";
    } catch {
      this.isValid = false;
      return "";
    }
  }
}

function refuseOtherFiles(head: Uint8Array): void {
  const text = String.fromCharCode(...head.subarray(0, 256));
  const other = OTHER_FILES.find(({ starts }) => text.startsWith(starts));
  if (other) throw unreadable(other.code, other.detail);
  if (/^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype|html|head|\?xml)\b/i.test(text)) {
    const detail =
      "This is a web page, not an export. Sign in at the registrar and download it again.";
    throw unreadable("html-page", detail);
  }
}

/** The encoding that a byte order mark tells, or NULs as in UTF-16. */
export function encodingOf(head: Uint8Array): Encoding | null {
  const [a, b, c] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return utf16ByNuls(head);
}

/** Names, separators and digits are ASCII, so half of the bytes of an export in UTF-16 are NUL. */
function utf16ByNuls(head: Uint8Array): Encoding | null {
  const sample = head.subarray(0, UTF16_SAMPLE_BYTES);
  const nuls: [number, number] = [0, 0];
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) nuls[index % 2 === 0 ? 0 : 1] += 1;
  }
  const many = sample.length / 5;
  if (nuls[1] > many && nuls[0] <= nuls[1] / 20) return "utf-16le";
  if (nuls[0] > many && nuls[1] <= nuls[0] / 20) return "utf-16be";
  return null;
}
