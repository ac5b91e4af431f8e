/** A part of a body: the first byte, and the one after the last. */
export interface ByteRange {
  start: number;
  end: number;
}

/** One range; a list of several would need a multipart answer that nobody asks us for. */
const RANGE = /^bytes=\s*(?:(\d+)-(\d*)|-(\d+))\s*$/i;

/**
 * What a Range header asks of a body: RFC 9110 §14.2. Null where it is to be ignored, so that the
 * whole body is the answer: malformed, several ranges, another unit.
 *
 * @param size Bytes of the body.
 */
export function parseByteRange(header: string, size: number): ByteRange | "unsatisfiable" | null {
  const [, first, last, suffix] = RANGE.exec(header) ?? [];
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size };
  }
  if (first === undefined) return null;
  const start = Number(first);
  const end = last ? Number(last) + 1 : size;
  if (end <= start && last) return null;
  if (start >= size) return "unsatisfiable";
  return { start, end: Math.min(end, size) };
}

/**
 * Whether a range may be sent to a client that has part of another copy: RFC 9110 §13.1.5. The
 * comparison is strong, and a date never matches: no file here says when it was changed.
 */
export function allowsRange(ifRange: string | null, tag: string): boolean {
  return ifRange === null || ifRange.trim() === tag;
}
