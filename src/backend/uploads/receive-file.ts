import type { IncomingFile } from "./upload-files.ts";
import { MultipartError, readMultipart, type MultipartEvent } from "./multipart.ts";
import { displayName, type PartHeaders } from "./part-headers.ts";

/** The body has more bytes than are allowed. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

interface Receiving {
  boundary: string;
  /** Bytes. */
  limit: number;
  file: IncomingFile;
  /** Called with each part of the body that came. */
  refreshIdleTimer?: (() => void) | undefined;
}

/**
 * Copies the one file of a form, its field `file`, to where `create` says, and returns its name.
 * Text fields beside it are read and forgotten; the form has no other file.
 *
 * @throws {TooLargeError} As soon as the body has more than `limit` bytes, all of it counted.
 * @throws {MultipartError} When the form is broken or does not hold exactly one file in `file`.
 */
export async function receiveFile(
  body: AsyncIterable<Uint8Array>,
  { boundary, limit, file, refreshIdleTimer }: Receiving,
): Promise<string> {
  let name: string | null = null;
  let inFile = false;
  for await (const event of readMultipart(limited(body, limit, refreshIdleTimer), boundary)) {
    if (event.kind === "part") {
      inFile = isFile(event.headers);
      if (inFile) name = onlyName(event, name);
    } else if (inFile) {
      await file.write(event.bytes);
    }
  }
  if (name === null) throw new MultipartError("Expected a file in the field `file`, but got none");
  return name;
}

async function* limited(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  refreshIdleTimer?: () => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    refreshIdleTimer?.();
    size += chunk.byteLength;
    if (size > limit) throw new TooLargeError();
    yield chunk;
  }
}

function isFile({ name, filename, unreadable }: PartHeaders): boolean {
  if (unreadable) {
    throw new MultipartError("Expected a file name in percent-encoded UTF-8, but got another");
  }
  if (filename === null && name !== "file") return false;
  if (name !== "file") {
    throw new MultipartError("Expected a file in the field `file` only, but got one in another");
  }
  if (filename === null) {
    throw new MultipartError("Expected a file in the field `file`, but got text");
  }
  if (filename === "") {
    throw new MultipartError("Expected a file in the field `file`, but none was chosen");
  }
  return true;
}

function onlyName(event: Extract<MultipartEvent, { kind: "part" }>, before: string | null): string {
  if (before !== null) throw new MultipartError("Expected one file, but got two");
  return displayName(event.headers.filename ?? "");
}
