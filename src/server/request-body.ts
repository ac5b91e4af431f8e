/** Bytes that the slowest of clients sends within the ordinary patience with a connection. */
const SHORT = 4096;

/** Bun hands a repeated header over as a list; two lengths, equal or not, are an attempt to confuse. */
export function hasOneLength(headers: Headers): boolean {
  const length = headers.get("content-length");
  return length === null || /^\d+$/.test(length);
}

/** Whether a body may take its time to come: it is long, or nobody knows how long. */
export function isSlow(headers: Headers): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length")) > SHORT;
}
