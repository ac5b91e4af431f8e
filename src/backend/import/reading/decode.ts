import type { ByteSource } from "./byte-source.ts";
import type { Encoding } from "./encoding.ts";

/** Characters per piece of text: what is worked on before other requests get their turn. */
const PIECE = 8192;

/** The text of a file without its byte order mark, in pieces of at most 8,192 characters. */
export async function* decodeText(open: ByteSource, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of open()) {
    // In slices, so that a source that hands over the whole file at once is not held twice as text.
    for (let at = 0; at < chunk.length; at += PIECE) {
      yield decoder.decode(chunk.subarray(at, at + PIECE), { stream: true });
      await turn();
    }
  }
  yield decoder.decode();
}

/** Makes every line break a line feed, CRLF and lone CR alike, wherever the pieces are cut. */
export async function* unifyLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  for await (const piece of text) {
    const joined = held + piece;
    held = joined.endsWith("\r") ? "\r" : "";
    yield joined.slice(0, joined.length - held.length).replace(/\r\n?/g, "\n");
  }
  if (held !== "") yield "\n";
}

/** The first characters of a text, and whether that is all of it. */
export async function readTextHead(
  text: AsyncIterable<string>,
  limit: number,
): Promise<{ head: string; complete: boolean }> {
  let head = "";
  for await (const piece of text) {
    head += piece;
    if (head.length > limit) return { head, complete: false };
  }
  return { head, complete: true };
}

/** Lets the event loop serve what waits; awaiting ready data alone never does. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
