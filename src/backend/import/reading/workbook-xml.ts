import { SaxesParser } from "saxes";
import type { Entry, ZipFile } from "yauzl";
import type { RequestError } from "../../http/request-error.ts";
import { unreadable } from "./unreadable.ts";
import { yieldIfBusy } from "../../database/event-loop.ts";

/** Bytes that are unpacked of one workbook; a bomb of 64 MB would become 64 GB. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Bytes of a part that holds no rows and no texts, and bytes in which no element begins or ends. */
const MAX_SMALL_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 16_384;

/** The beginning or the end of an element, or text. `name` has no prefix; of text, it is the text. */
export interface XmlEvent {
  kind: "open" | "close" | "text";
  name: string;
  attributes: Readonly<Record<string, string>>;
}

export type XmlEvents = AsyncGenerator<XmlEvent[], void, void>;

const NO_ATTRIBUTES = {};

export function tooLarge(): RequestError {
  return unreadable("workbook", "This workbook is too large. Save the sheet as CSV.");
}

/** Reads parts of a workbook as XML, and counts what it unpacks of all. A missing part is empty. */
export function createPartReader(zip: ZipFile, parts: ReadonlyMap<string, Entry>) {
  let unpacked = 0;

  return async function* read(part: string, size: "small" | "large" = "small"): XmlEvents {
    const entry = parts.get(part);
    if (entry === undefined) return;
    if (entry.isEncrypted()) {
      throw unreadable("workbook", "This workbook has a password. Save it without one.");
    }
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const parser = new SaxesParser({ position: false, xmlns: false });
    let events: XmlEvent[] = [];
    parser.on("opentag", ({ name, attributes }) => {
      events.push({ kind: "open", name: localName(name), attributes });
    });
    parser.on("closetag", ({ name }) => {
      events.push({ kind: "close", name: localName(name), attributes: NO_ATTRIBUTES });
    });
    parser.on("text", (name) => events.push({ kind: "text", name, attributes: NO_ATTRIBUTES }));
    let quiet = 0;
    let own = 0;
    // Node.js declares the chunks of a stream as `any`.
    const chunks: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        parser.write(decoder.decode(piece, { stream: true }));
        own += piece.length;
        unpacked += piece.length;
        quiet = events.length === 0 ? quiet + piece.length : 0;
        const isTooLarge = size === "small" ? own > MAX_SMALL_BYTES : quiet > MAX_SMALL_BYTES;
        if (isTooLarge || unpacked > MAX_UNPACKED_BYTES) throw tooLarge();
        yield events;
        events = [];
        await yieldIfBusy();
      }
    }
    parser.close();
    yield events;
  };
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Collects the text of cells (`v`) and of rich text (`t`), but not how it is pronounced. */
export class TextCollector {
  #text = "";
  #isText = false;
  #isPronunciation = false;

  add({ kind, name }: XmlEvent): void {
    if (kind === "text") {
      if (this.#isText && !this.#isPronunciation) this.#text += name;
    } else if (name === "v" || name === "t") this.#isText = kind === "open";
    else if (name === "rPh") this.#isPronunciation = kind === "open";
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }
}
