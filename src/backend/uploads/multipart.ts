/** The events of a multipart body: a part, its bytes in pieces, the next part. */
type MultipartEvent = { kind: "part"; headers: PartHeaders } | { kind: "data"; bytes: Uint8Array };

/** The body is not multipart as in RFC 2046 §5.1.1; the message is for the sender. */
export class MultipartError extends Error {
  override readonly name = "MultipartError";
}

/** Bytes that the headers of one part, or the padding after a boundary, may have. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Parts of one form, which has a file and perhaps a few text fields. Each part costs a copy of what
 * has arrived: hundreds of thousands of empty ones would keep the process busy for minutes.
 */
const MAX_PARTS = 100;

const CRLF = Buffer.from("\r\n");
const HEADER_END = Buffer.from("\r\n\r\n");
const CLOSING = Buffer.from("--");

/** The boundary that a content type names (RFC 2046 §5.1.1: 1 to 70 characters), or null. */
export function boundaryOf(contentType: string): string | null {
  const parameter = /;\s*boundary\s*=\s*(?:"(?<quoted>[^"]+)"|(?<token>[^\s;"]+))/i;
  const groups = parameter.exec(contentType)?.groups;
  const boundary = groups?.["quoted"] ?? groups?.["token"] ?? "";
  return /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary) ? boundary : null;
}

/**
 * Reads a multipart body piece by piece. It keeps no more than a boundary's length of data and
 * 16 KiB of headers, wherever the pieces are cut. Bytes before the first boundary and after the
 * closing one are dropped.
 *
 * @throws {MultipartError} When a boundary, a header or the end is missing or malformed.
 */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<MultipartEvent> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const source = new Source(body);
  // The first boundary may open the body: with a line break before it, it is like every other.
  source.unread(CRLF);
  await source.skip(delimiter);
  for (let parts = 1; await isNextPart(source); parts += 1) {
    if (parts > MAX_PARTS) {
      throw new MultipartError(`Expected at most ${MAX_PARTS} parts, but got more`);
    }
    const head = await source.take(HEADER_END, MAX_HEADER_BYTES, "the headers of a part");
    yield { kind: "part", headers: parsePartHeaders(head) };
    for await (const bytes of source.until(delimiter)) yield { kind: "data", bytes };
  }
  await source.drain();
}

/** After a boundary: `--` closes the body, padding and a line break begin a part. */
async function isNextPart(source: Source): Promise<boolean> {
  if (await source.startsWith(CLOSING)) return false;
  const padding = await source.take(CRLF, MAX_HEADER_BYTES, "the line of a boundary");
  if (!/^[ \t]*$/.test(padding.toString("latin1"))) {
    throw new MultipartError("Expected a line break after a boundary, but got something else");
  }
  // Headers may be absent: then the empty line follows at once, and has no line break before it.
  source.unread(CRLF);
  return true;
}

/** Reads bytes that arrive in pieces up to a mark. */
class Source {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#pieces = body[Symbol.asyncIterator]();
  }

  unread(bytes: Buffer): void {
    this.#buffer = Buffer.concat([bytes, this.#buffer]);
  }

  async startsWith(bytes: Buffer): Promise<boolean> {
    while (this.#buffer.length < bytes.length) await this.#more();
    return this.#buffer.subarray(0, bytes.length).equals(bytes);
  }

  /** Everything before `mark`, at most `limit` bytes; the mark is skipped. */
  async take(mark: Buffer, limit: number, what: string): Promise<Buffer> {
    let end = this.#buffer.indexOf(mark);
    while (end === -1 && this.#buffer.length <= limit) {
      await this.#more();
      end = this.#buffer.indexOf(mark);
    }
    if (end === -1 || end > limit) {
      throw new MultipartError(`Expected ${what} in at most ${limit} bytes, but got more`);
    }
    const taken = this.#buffer.subarray(0, end);
    this.#buffer = this.#buffer.subarray(end + mark.length);
    return taken;
  }

  /** The bytes before `mark`, in pieces as they arrive; the mark is skipped. */
  async *until(mark: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const end = this.#buffer.indexOf(mark);
      const safe = end === -1 ? this.#endBefore(mark) : end;
      const bytes = this.#buffer.subarray(0, safe);
      const rest = this.#buffer.subarray(end === -1 ? safe : end + mark.length);
      // A view of the first bytes of a mark would keep the whole piece in memory.
      this.#buffer = end === -1 ? Buffer.from(rest) : rest;
      if (safe > 0) yield bytes;
      if (end !== -1) return;
      await this.#more();
    }
  }

  /** Where a mark may have begun that ends in the next piece; else the end. */
  #endBefore(mark: Buffer): number {
    const { length } = this.#buffer;
    let at = Math.max(0, length - mark.length + 1);
    while (!mark.subarray(0, length - at).equals(this.#buffer.subarray(at))) at += 1;
    return at;
  }

  async skip(mark: Buffer): Promise<void> {
    const skipped = this.until(mark);
    while ((await skipped.next()).done !== true) continue;
  }

  /** Reads the rest, so that the connection can be used again. */
  async drain(): Promise<void> {
    while ((await this.#pieces.next()).done !== true) continue;
  }

  async #more(): Promise<void> {
    const piece = await this.#pieces.next();
    if (piece.done === true) {
      throw new MultipartError("Expected a closing boundary, but the body ends before it");
    }
    const { buffer, byteOffset, byteLength } = piece.value;
    const view = Buffer.from(buffer, byteOffset, byteLength);
    this.#buffer = this.#buffer.length === 0 ? view : Buffer.concat([this.#buffer, view]);
  }
}

/** The headers of one part of a form (RFC 7578 §4.2); null where they are absent. */
export interface PartHeaders {
  name: string | null;
  /** As it came, path and all; the empty string is a file field in which nothing was chosen. */
  filename: string | null;
  /** The only file name is one that cannot be decoded. */
  unreadable: boolean;
}

/** Reads the headers of one part. Only Content-Disposition matters; the rest is ignored. */
export function parsePartHeaders(head: Uint8Array): PartHeaders {
  const lines = new TextDecoder().decode(head).split("\r\n");
  const disposition = lines.find((line) => /^content-disposition\s*:/i.test(line)) ?? "";
  const parameters = new Map<string, string>();
  const pattern = /;\s*(?<key>[\w*-]+)\s*=\s*(?:"(?<quoted>(?:\\.|[^"\\])*)"|(?<token>[^\s;"]*))/g;
  for (const { groups } of disposition.matchAll(pattern)) {
    const key = groups?.["key"]?.toLowerCase() ?? "";
    const quoted = groups?.["quoted"];
    const value = quoted === undefined ? (groups?.["token"] ?? "") : unquote(quoted);
    if (!parameters.has(key)) parameters.set(key, value);
  }
  const extended = decodeExtended(parameters.get("filename*"));
  const filename = extended ?? parameters.get("filename") ?? null;
  return {
    name: parameters.get("name") ?? null,
    filename,
    unreadable: filename === null && parameters.has("filename*"),
  };
}

/**
 * The name of a file as people know it: its last path segment, without control characters, at most
 * 255 characters. For display only: nothing is ever stored under it.
 */
export function displayName(filename: string): string {
  const last = filename.slice(Math.max(filename.lastIndexOf("/"), filename.lastIndexOf("\\")) + 1);
  // Cut before it is composed, which takes quadratic time for a run of combining marks.
  const short = last.slice(0, 1024).toWellFormed();
  const clean = short.normalize("NFC").replace(/\p{C}/gu, "").trim();
  const name = [...clean].slice(0, 255).join("");
  return /^\.*$/.test(name) ? "upload" : name;
}

/** Browsers write a quote as %22; others put a backslash before it, and before little else. */
function unquote(text: string): string {
  return text.replace(/\\(["\\])/g, "$1").replace(/%22/g, '"');
}

/** `filename*=UTF-8''…` (RFC 8187), which RFC 7578 forbids and some clients send. */
function decodeExtended(value: string | undefined): string | null {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? "")?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
