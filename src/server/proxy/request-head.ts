import type { Header } from "./end-to-end.ts";

/** How the end of a request's content is told; `null` where it has none and none is expected. */
export type RequestFraming = number | "chunked" | null;

/** What may stand in a request line and in a header's value: anything else could begin another line. */
const TARGET = /^\/[\x21-\x7e]*$/;
const UNWRITABLE = /[^\t\x20-\x7e\x80-\xff]/;

/** A request that its client has written in a way that cannot be passed on. */
export class UnwritableError extends TypeError {
  override readonly name = "UnwritableError";
}

/**
 * Writes the head of a request: RFC 9112 §3. Which framing it has is for the caller alone to say;
 * the headers name none.
 *
 * @param target Path and query.
 * @param host Of the backend, with its port where that is not the usual one.
 * @throws {UnwritableError} Where a part of it would not be read as what it is.
 */
export function writeRequestHead(
  { method, target, host }: { method: string; target: string; host: string },
  headers: readonly Header[],
  framing: RequestFraming,
): string {
  if (!TARGET.test(target))
    throw new UnwritableError("Expected a path that a request line can carry.");
  let head = `${method} ${target} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const [name, value] of headers) {
    if (UNWRITABLE.test(value)) throw new UnwritableError(`Expected ${name} to fit on a line.`);
    head += `${name}: ${value}\r\n`;
  }
  if (framing === "chunked") head += "transfer-encoding: chunked\r\n";
  else if (framing !== null) head += `content-length: ${framing}\r\n`;
  return `${head}\r\n`;
}
