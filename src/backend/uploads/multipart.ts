import { RequestError } from "../http/request-error.ts";

interface Part {
  headers: ReturnType<typeof parsePartHeaders>;
  /** In pieces as they arrive. What is not read of it is skipped. */
  data: AsyncIterable<Uint8Array>;
}

/** The body is not multipart as in RFC 2046 §5.1.1, or not one file; `detail` is for the sender. */
export function badForm(detail: string): RequestError {
  return new RequestError(400, detail);
}

/** Bytes that the headers of one part, or the padding after a boundary, may have. */
const MAX_HEADER_BYTES = 16 * 1024;

/** A form has a file and perhaps a few fields: hundreds of thousands of empty parts would take minutes. */
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
 * @throws {RequestError} 400 When a boundary, a header or the end is missing or malformed.
 */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const pieces = body[Symbol.asyncIterator]();
  // The first boundary may open the body: with a line break before it, it is like every other.
  let rest: Buffer = CRLF;

  async function readMore(): Promise<void> {
    const { done, value } = await pieces.next();
    if (done === true) {
      throw badForm("Expected a closing boundary, but the body ends before it");
    }
    rest = Buffer.concat([rest, value]);
  }

  /** The bytes before `mark`, which is skipped. */
  async function take(mark: Buffer, what: string): Promise<Buffer> {
    while (!rest.includes(mark) && rest.length <= MAX_HEADER_BYTES) await readMore();
    const end = rest.indexOf(mark);
    if (end === -1 || end > MAX_HEADER_BYTES) {
      throw badForm(`Expected ${what} in at most ${MAX_HEADER_BYTES} bytes, but got more`);
    }
    const taken = rest.subarray(0, end);
    rest = rest.subarray(end + mark.length);
    return taken;
  }

  /** The bytes before the next delimiter, in pieces as they arrive; the delimiter is skipped. */
  async function* readData(): AsyncGenerator<Uint8Array> {
    for (let end = rest.indexOf(delimiter); ; end = rest.indexOf(delimiter)) {
      const bytes = rest.subarray(0, end === -1 ? safeLength(rest, delimiter) : end);
      if (bytes.length > 0) yield bytes;
      // A view of the first bytes of a delimiter would keep the whole piece in memory.
      if (end === -1) rest = Buffer.from(rest.subarray(bytes.length));
      else rest = rest.subarray(end + delimiter.length);
      if (end !== -1) return;
      await readMore();
    }
  }

  for await (const _ of readData()) continue;
  for (let parts = 1; ; parts += 1) {
    while (rest.length < CLOSING.length) await readMore();
    if (rest.indexOf(CLOSING) === 0) break;
    const padding = await take(CRLF, "the line of a boundary");
    if (!/^[ \t]*$/.test(padding.toString("latin1"))) {
      throw badForm("Expected a line break after a boundary, but got something else");
    }
    if (parts > MAX_PARTS) {
      throw badForm(`Expected at most ${MAX_PARTS} parts, but got more`);
    }
    // Headers may be absent: then the empty line follows at once, and has no line break before it.
    rest = Buffer.concat([CRLF, rest]);
    const head = await take(HEADER_END, "the headers of a part");
    const data = readData();
    yield { headers: parsePartHeaders(head), data };
    for await (const _ of data) continue;
  }
  // Read to its end, so that the connection can be used again.
  while ((await pieces.next()).done !== true) continue;
}

/** How many bytes come before what may be the beginning of a delimiter. */
function safeLength(bytes: Buffer, delimiter: Buffer): number {
  let at = Math.max(0, bytes.length - delimiter.length + 1);
  while (!delimiter.subarray(0, bytes.length - at).equals(bytes.subarray(at))) at += 1;
  return at;
}

/**
 * Reads the headers of one part of a form (RFC 7578 §4.2); null where they are absent. `filename` is as it
 * came, path and all; the empty string is a file field in which nothing was chosen.
 *
 * @throws {RequestError} 400 When the only file name cannot be decoded.
 */
export function parsePartHeaders(head: Uint8Array) {
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
  if (filename === null && parameters.has("filename*")) {
    throw badForm("Expected a file name in percent-encoded UTF-8, but got another");
  }
  return { name: parameters.get("name") ?? null, filename };
}

/** The last segment of a path without control characters, at most 255 characters; for display only. */
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
