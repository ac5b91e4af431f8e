/**
 * Opens the uploaded file from its start. It is called once per pass, because encoding and column
 * readings are decided by the whole file before the first row is read; the file is never held.
 */
export type ByteSource = () => ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** The first bytes of a file, at most `limit`; the rest is not read. */
export async function readHead(open: ByteSource, limit: number): Promise<Uint8Array> {
  const head = new Uint8Array(limit);
  let length = 0;
  for await (const chunk of open()) {
    const part = chunk.subarray(0, limit - length);
    head.set(part, length);
    length += part.length;
    if (length === limit) break;
  }
  return head.subarray(0, length);
}
